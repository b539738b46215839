//! A writer of SVG text: elements, attributes, escaping and indentation. It knows nothing of boards.

use std::fmt::{Display, Write};

/// A document that is being written.
#[derive(Debug)]
pub struct Svg {
    text: String,
    open: Vec<&'static str>,
}

/// A number with at most two decimals and no needless zeros.
pub fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Adding zero turns -0 into 0.
    format!("{}", rounded + 0.0)
}

/// Attributes of an element, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub struct Attributes(String);

impl Attributes {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        write!(self.0, " {name}=\"{}\"", escape(&value.to_string())).expect("writing to a string");
        self
    }

    /// Adds an attribute with a number.
    #[must_use]
    pub fn at(self, name: &str, value: f64) -> Self {
        self.with(name, number(value))
    }
}

impl Svg {
    /// Opens a document of a width and a height in pixels.
    pub fn new(width: f64, height: f64) -> Self {
        let mut svg = Self {
            text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            open: Vec::new(),
        };
        let size = format!("0 0 {} {}", number(width), number(height));
        let root = Attributes::new()
            .with("xmlns", "http://www.w3.org/2000/svg")
            .at("width", width)
            .at("height", height)
            .with("viewBox", size);
        svg.begin("svg", root);
        svg
    }

    /// Opens an element; [`Svg::end`] closes it.
    pub fn begin(&mut self, name: &'static str, attributes: Attributes) {
        self.line(&format!("<{name}{}>", attributes.0));
        self.open.push(name);
    }

    /// Closes the element that was opened last.
    ///
    /// # Panics
    /// If none is open.
    pub fn end(&mut self) {
        let name = self.open.pop().expect("an element is open");
        self.line(&format!("</{name}>"));
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &str, attributes: Attributes) {
        self.line(&format!("<{name}{}/>", attributes.0));
    }

    /// Writes an element that holds text only.
    pub fn text(&mut self, name: &str, attributes: Attributes, content: &str) {
        self.line(&format!("<{name}{}>{}</{name}>", attributes.0, escape(content)));
    }

    /// Closes what is open and gives the document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }

    fn line(&mut self, content: &str) {
        let indentation = self.open.len();
        writeln!(self.text, "{:indentation$}{content}", "").expect("writing to a string");
    }
}

/// Text as XML: markup escaped, characters that XML forbids replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_and_attributes_is_escaped() {
        let mut svg = Svg::new(10.0, 20.5);
        svg.text("text", Attributes::new().with("a", "\"<'&>\u{1}"), "1 < 2 & 3 > 2\u{0}");
        let text = svg.finish();
        assert!(text.contains("a=\"&quot;&lt;&#39;&amp;&gt;\u{fffd}\""), "{text}");
        assert!(text.contains(">1 &lt; 2 &amp; 3 &gt; 2\u{fffd}</text>"), "{text}");
        assert!(text.contains("viewBox=\"0 0 10 20.5\""), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, -0.001, 1.0, 2.5, 1.0 / 3.0, -7.126].map(number);
        assert_eq!(texts, ["0", "0", "1", "2.5", "0.33", "-7.13"]);
    }
}
