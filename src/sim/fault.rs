//! What would break a real machine.

/// Something that would break the real machine, or leave it stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorldFault {
    /// Rows enter or leave a turntable that is not square.
    #[error("the cube was lifted or lowered through a turntable that is {0} degrees off square")]
    TableOffSquare(i32),
    /// Rows enter or leave while layers are half turned.
    #[error("the cube was lifted or lowered with layers that are {0} degrees off square")]
    LayersOffSquare(i32),
    /// The flipper is in the way of the cube.
    #[error("the cube was lifted or lowered with the flipper half-way")]
    FlipperHalfWay,
    /// The cube is in the way of the flipper.
    #[error("the flipper moved with rows up that are not clear of it")]
    FlippedWithRowsUp,
    /// The cube slides.
    #[error("the flipper tipped the cube too fast")]
    FlippedTooFast,
    /// The edge of a layer is in the gap.
    #[error("the turntable turned with the elevator between two rows")]
    TurnedBetweenRows,
    /// The cube is neither held nor free.
    #[error("the turntable turned while the elevator moved")]
    TurnedWhileLifting,
    /// The squisher has hold of the cube, and not all of it is in the turntable.
    #[error("the cube was moved with the squisher closed")]
    SquisherClosed,
    /// The turntable drags the squisher over its end, or into the cube.
    #[error("the turntable dragged the squisher against its stop")]
    SquisherForced,
    /// The tilter's arm holds or pulls a cube whose edges do not lie along it.
    #[error("the arm came to the cube with the turntable {0} degrees off square")]
    ArmOffSquare(i32),
    /// The tilter's arm touches a cube that turns as a whole.
    #[error("the turntable turned the whole cube with the arm in its way")]
    TurnedIntoArm,
    /// The tilter's cube turns and tips at once.
    #[error("the turntable turned while the arm pulled the cube")]
    TurnedWhilePulling,
    /// The tilter's cube is let go while its lowest layer is half turned.
    #[error("the arm let the cube go with its lowest layer {0} degrees off square")]
    LetGoOffSquare(i32),
    /// Both arms of the tilter are over the cube.
    #[error("the two arms met over the cube")]
    ArmsMet,
    /// No jaws hold the cube.
    #[error("the jaws let the cube fall")]
    CubeFell,
    /// Two jaws are turned so that their fingers touch.
    #[error("two neighbouring jaws touched")]
    JawsTouched,
    /// A jaw opens or closes while its fingers do not lie along the cube's edges.
    #[error("a jaw opened or closed {0} degrees off square")]
    GrippedOffSquare(i32),
    /// A jaw turns a layer across one that is half turned.
    #[error("a jaw turned across layers that are half turned")]
    TurnedAcross,
    /// Jaws turn against each other with the cube free in between, or with a jaw half closed.
    #[error("the jaws twisted the cube")]
    Twisted,
    /// The brick switched itself off.
    #[error("the battery ran down before the machine was parked")]
    BatteryEmpty,
    /// The program goes on and on.
    #[error("the program did not end in time")]
    TookTooLong,
}
