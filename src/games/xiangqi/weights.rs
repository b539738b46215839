//! The default weights of xiangqi: fitted by `kyokumen tune` to games of self-play (see docs/tuning.md), from weights set by
//! hand. Points that a piece cannot reach are zero.

use super::params::{Placement, Weight, Weights};

impl Default for Weights {
    fn default() -> Self {
        Self {
            material: [
                Weight(0, 0),
                Weight(174, 69),
                Weight(245, 47),
                Weight(529, 418),
                Weight(1182, 1018),
                Weight(620, 388),
                Weight(104, 81),
            ],
            exchange: [0, 112, 145, 462, 1085, 509, 114],
            placement_middle: [
                GENERAL_MIDDLE,
                ADVISOR_MIDDLE,
                ELEPHANT_MIDDLE,
                HORSE_MIDDLE,
                CHARIOT_MIDDLE,
                CANNON_MIDDLE,
                SOLDIER_MIDDLE,
            ],
            placement_end: [
                GENERAL_END,
                ADVISOR_END,
                ELEPHANT_END,
                HORSE_END,
                CHARIOT_END,
                CANNON_END,
                SOLDIER_END,
            ],
            chariot_mobility: [
                Weight(-50, -50),
                Weight(-30, -40),
                Weight(-45, -39),
                Weight(-29, -26),
                Weight(-22, -24),
                Weight(6, -10),
                Weight(-6, -9),
                Weight(14, -2),
                Weight(28, 11),
                Weight(7, 11),
                Weight(21, 29),
                Weight(16, 28),
                Weight(24, 12),
                Weight(36, 16),
                Weight(17, 31),
                Weight(49, 31),
                Weight(36, 23),
                Weight(33, 22),
            ],
            horse_mobility: [
                Weight(-55, -71),
                Weight(-36, -37),
                Weight(-34, -22),
                Weight(-13, 24),
                Weight(24, 22),
                Weight(19, 26),
                Weight(52, 1),
                Weight(45, 17),
                Weight(46, 0),
            ],
            cannon_mobility: Weight(3, 0),
            open_file: Weight(52, -11),
            linked_chariots: Weight(14, 23),
            linked_soldiers: Weight(38, 9),
            linked_horses: Weight(40, 5),
            hollow_cannon: Weight(234, -10),
            central_cannon: Weight(34, 35),
            bottom_cannon: Weight(35, 13),
            rib_chariot: Weight(32, 9),
            palace_attack: [
                Weight(0, 0),
                Weight(0, 0),
                Weight(0, 0),
                Weight(27, 0),
                Weight(15, 17),
                Weight(9, 5),
                Weight(32, 7),
            ],
            attackers_percent: [0, 0, 82, 171, 244, 214, 230],
            missing_advisor: Weight(-28, -10),
            missing_elephant: Weight(-31, 22),
            no_advisors: Weight(-34, -16),
            threat: Weight(54, 27),
            loose: Weight(33, 40),
            tempo: 14,
            drawish_percent: 12,
        }
    }
}

const GENERAL_MIDDLE: Placement = [
    [0, 0, 0, 9, 111],
    [0, 0, 0, -106, -39],
    [0, 0, 0, -108, -84],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const ADVISOR_MIDDLE: Placement = [
    [0, 0, 0, 5, 0],
    [0, 0, 0, 0, 56],
    [0, 0, 0, -65, 0],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const ELEPHANT_MIDDLE: Placement = [
    [0, 0, 36, 0, 0],
    [0; 5],
    [-37, 0, 0, 0, 75],
    [0; 5],
    [0, 0, -30, 0, 0],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const HORSE_MIDDLE: Placement = [
    [-32, -72, -35, -9, -29],
    [-75, -28, -32, -10, -62],
    [-21, 2, -16, 12, 23],
    [-29, -22, -14, 17, 54],
    [15, 52, 37, 52, 36],
    [14, 30, 44, 68, 13],
    [17, 66, 56, 64, 58],
    [12, 47, 88, 58, 53],
    [13, 42, 85, 38, 11],
    [12, 7, 29, 8, 1],
];

const CHARIOT_MIDDLE: Placement = [
    [-31, -12, -8, -5, -15],
    [-38, 2, 11, 10, -4],
    [-4, 9, 7, 12, -11],
    [-40, 19, 21, 45, 17],
    [12, 41, 35, 32, 6],
    [31, 32, 20, -4, 14],
    [31, 12, 42, 45, 24],
    [0, -15, 11, 5, 38],
    [20, -6, 28, 30, 34],
    [11, -10, 12, 14, 16],
];

const CANNON_MIDDLE: Placement = [
    [-8, -26, 10, 26, 5],
    [-5, -17, 18, 14, 25],
    [50, 3, 50, 18, 82],
    [15, -32, -9, -30, 28],
    [-13, -8, 34, -18, 42],
    [16, -12, -5, -9, 68],
    [-25, 17, 29, -33, 5],
    [-2, -19, -7, 8, -10],
    [3, -8, -56, -31, -13],
    [7, 44, -5, -11, -9],
];

const SOLDIER_MIDDLE: Placement = [
    [0; 5],
    [0; 5],
    [0; 5],
    [-23, 0, -37, 0, 54],
    [-8, 0, 15, 0, 33],
    [30, 42, 63, 90, 96],
    [57, 71, 116, 124, 140],
    [56, 66, 127, 150, 135],
    [64, 88, 112, 189, 144],
    [6, 8, 17, 26, 24],
];

const GENERAL_END: Placement = [
    [0, 0, 0, 16, -2],
    [0, 0, 0, 11, 12],
    [0, 0, 0, -34, -11],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const ADVISOR_END: Placement = [
    [0, 0, 0, -29, 0],
    [0, 0, 0, 0, 7],
    [0, 0, 0, -10, 0],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const ELEPHANT_END: Placement = [
    [0, 0, -20, 0, 0],
    [0; 5],
    [-24, 0, 0, 0, -23],
    [0; 5],
    [0, 0, 11, 0, 0],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const HORSE_END: Placement = [
    [-25, -38, -16, -3, -17],
    [-51, -12, -22, 3, -49],
    [-16, 15, -10, 35, 27],
    [5, -11, 18, 11, 23],
    [11, 18, 29, 32, 21],
    [15, 12, 51, 0, 6],
    [18, 11, 23, 5, 31],
    [0, 41, 36, 22, 35],
    [-7, 19, 3, 24, 13],
    [8, 12, 36, 14, -3],
];

const CHARIOT_END: Placement = [
    [-9, -9, -15, 2, -3],
    [-26, -13, -17, -6, -1],
    [-10, -8, 19, 22, 13],
    [-2, 14, 26, 17, 14],
    [-1, 5, 15, 13, 9],
    [35, 14, 34, 30, 26],
    [-4, 31, 47, 6, 14],
    [8, 0, 17, 30, 4],
    [16, -11, 27, 14, 27],
    [-8, -20, -13, -23, 20],
];

const CANNON_END: Placement = [
    [-4, -8, -15, 37, 15],
    [7, 8, 5, 18, 6],
    [4, 20, 6, 32, -6],
    [7, -22, -6, 6, 7],
    [-7, -9, 4, 20, 0],
    [-6, 20, 3, 14, -12],
    [-10, -8, -15, -14, -4],
    [13, -13, -23, 2, 2],
    [3, 28, -27, -7, 10],
    [-3, 9, -7, 1, -6],
];

const SOLDIER_END: Placement = [
    [0; 5],
    [0; 5],
    [0; 5],
    [38, 0, 30, 0, 26],
    [24, 0, 4, 0, 55],
    [58, 70, 102, 108, 137],
    [84, 101, 142, 58, 50],
    [74, 59, 100, 151, 94],
    [73, 84, 54, 49, 103],
    [-6, -24, -25, -47, -57],
];
