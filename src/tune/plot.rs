//! The picture of a fit: losses by epoch, and predicted against actual results before and after.

use super::fit::Epoch;
use super::report::Bucket;
use crate::picture::svg::{Attributes, Svg, number};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 440.0;
const SIZE: f64 = 340.0;
const TOP: f64 = 50.0;
const INK: &str = "#222222";
const GRID: &str = "#dddddd";
const BEFORE: &str = "#b8860b";
const AFTER: &str = "#1f5fa8";

/// A square diagram with its own coordinates.
struct Axes {
    left: f64,
    x: [f64; 2],
    y: [f64; 2],
}

impl Axes {
    fn across(&self, x: f64) -> f64 {
        self.left + (x - self.x[0]) / (self.x[1] - self.x[0]) * SIZE
    }

    fn down(&self, y: f64) -> f64 {
        TOP + SIZE - (y - self.y[0]) / (self.y[1] - self.y[0]) * SIZE
    }

    fn draw(&self, svg: &mut Svg, title: &str, labels: [&str; 2], digits: [usize; 2]) {
        let (right, bottom) = (self.left + SIZE, TOP + SIZE);
        for part in 0..=4 {
            let part = f64::from(part) / 4.0;
            let (x, y) = (self.left + part * SIZE, bottom - part * SIZE);
            line(svg, [x, TOP, x, bottom], GRID, "");
            line(svg, [self.left, y, right, y], GRID, "");
            let value = |range: [f64; 2], digits: usize| {
                format!("{:.digits$}", range[0] + part * (range[1] - range[0]))
            };
            text(svg, [x, bottom + 16.0], "middle", 11.0, &value(self.x, digits[0]));
            text(svg, [self.left - 6.0, y + 4.0], "end", 11.0, &value(self.y, digits[1]));
        }
        text(svg, [self.left + SIZE / 2.0, TOP - 14.0], "middle", 14.0, title);
        text(svg, [self.left + SIZE / 2.0, bottom + 34.0], "middle", 12.0, labels[0]);
        text(svg, [self.left - 6.0, TOP - 14.0], "end", 12.0, labels[1]);
    }

    fn curve(&self, svg: &mut Svg, points: &[(f64, f64)], color: &str) {
        let place =
            |&(x, y): &(f64, f64)| format!("{},{}", number(self.across(x)), number(self.down(y)));
        let points: Vec<String> = points.iter().map(place).collect();
        let attributes = Attributes::new()
            .with("points", points.join(" "))
            .with("fill", "none")
            .with("stroke", color)
            .at("stroke-width", 1.8);
        svg.empty("polyline", attributes);
    }
}

fn line(svg: &mut Svg, [x1, y1, x2, y2]: [f64; 4], color: &str, dashes: &str) {
    let mut attributes =
        Attributes::new().at("x1", x1).at("y1", y1).at("x2", x2).at("y2", y2).with("stroke", color);
    if !dashes.is_empty() {
        attributes = attributes.with("stroke-dasharray", dashes);
    }
    svg.empty("line", attributes);
}

fn text(svg: &mut Svg, [x, y]: [f64; 2], anchor: &str, size: f64, content: &str) {
    let attributes = Attributes::new()
        .at("x", x)
        .at("y", y)
        .with("text-anchor", anchor)
        .with("font-family", "sans-serif")
        .at("font-size", size)
        .with("fill", INK);
    svg.text("text", attributes, content);
}

/// Draws the losses from the start on, and the calibration before and after.
pub fn plot(epochs: &[Epoch], [before, after]: &[Vec<Bucket>; 2]) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let page = Attributes::new().at("width", WIDTH).at("height", HEIGHT).with("fill", "#ffffff");
    svg.empty("rect", page);
    losses(&mut svg, epochs);
    let axes = Axes { left: 580.0, x: [0.0, 1.0], y: [0.0, 1.0] };
    axes.draw(&mut svg, "Predicted and actual results", ["predicted", "actual"], [2, 2]);
    line(
        &mut svg,
        [axes.across(0.0), axes.down(0.0), axes.across(1.0), axes.down(1.0)],
        INK,
        "4 4",
    );
    let most = before.iter().chain(after).map(|bucket| bucket.count).max().unwrap_or(1).max(1);
    for (buckets, color) in [(before, BEFORE), (after, AFTER)] {
        let filled = || buckets.iter().filter(|bucket| bucket.count > 0);
        let points: Vec<_> = filled().map(|bucket| (bucket.predicted, bucket.actual)).collect();
        axes.curve(&mut svg, &points, color);
        for bucket in filled() {
            let radius = 1.5 + 5.0 * (bucket.count as f64 / most as f64).sqrt();
            let point = Attributes::new()
                .at("cx", axes.across(bucket.predicted))
                .at("cy", axes.down(bucket.actual))
                .at("r", radius)
                .with("fill", color)
                .at("fill-opacity", 0.7);
            svg.empty("circle", point);
        }
    }
    legend(&mut svg, axes.left + 12.0, ["before", "after"]);
    svg.finish()
}

fn losses(svg: &mut Svg, epochs: &[Epoch]) {
    let all = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.held_out]);
    let least = all().fold(f64::INFINITY, f64::min);
    let most = all().fold(f64::NEG_INFINITY, f64::max);
    // The axis has four parts of whole epochs.
    let last = epochs.last().map_or(1, |epoch| epoch.number).max(1).next_multiple_of(4);
    let last = f64::from(last);
    // Room above and below; a flat curve still has a height.
    let room = ((most - least) * 0.05).max(1e-6);
    let axes = Axes { left: 90.0, x: [0.0, last], y: [least - room, most + room] };
    axes.draw(svg, "Loss by epoch", ["epoch", "loss"], [0, 5]);
    let curve = |of: fn(&Epoch) -> f64| -> Vec<(f64, f64)> {
        epochs.iter().map(|epoch| (f64::from(epoch.number), of(epoch))).collect()
    };
    axes.curve(svg, &curve(|epoch| epoch.training), BEFORE);
    axes.curve(svg, &curve(|epoch| epoch.held_out), AFTER);
    legend(svg, axes.left + SIZE - 110.0, ["training", "held out"]);
}

fn legend(svg: &mut Svg, x: f64, names: [&str; 2]) {
    for (row, (name, color)) in names.into_iter().zip([BEFORE, AFTER]).enumerate() {
        let y = TOP + 18.0 + 18.0 * row as f64;
        let mark = Attributes::new()
            .at("x", x)
            .at("y", y - 9.0)
            .at("width", 14.0)
            .at("height", 9.0)
            .with("fill", color);
        svg.empty("rect", mark);
        text(svg, [x + 20.0, y], "start", 12.0, name);
    }
}
