//! The timeline of a run: ranks vertically, time horizontally.

use super::words as text;
use crate::browser::{self, Size};
use crate::draw::figure::Ink;
use crate::draw::paint::Colours;
use crate::draw::split::WAITING;
use crate::draw::timeline::{self as draw, ACTIVITIES, Image, PixelMap};
use crate::draw::visible::{VisibleRange, Whole};
use crate::memo::Shared;
use crate::plots::surface::{px, use_colours, use_size};
use crate::sharing::export::Export;
use crate::sharing::{Data, TimelineData};
use crate::tables::rich;
use loggia_model::units::Micros;
use loggia_worker::{BusyInterval, PathExcerpt, TimelineSection, Viewport};
use web_sys::{KeyboardEvent, PointerEvent};
use yew::{
    Callback, Html, NodeRef, Properties, UseStateHandle, classes, component, hook, html,
    use_effect_with, use_mut_ref, use_node_ref, use_state,
};

/// The kind of a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TimelineKind {
    /// Activities of processors in a run.
    Run,
    /// Calls of a traced program, as measured.
    Measured,
    /// Calls of a traced program, as predicted.
    Predicted,
}

impl TimelineKind {
    fn id(self) -> &'static str {
        match self {
            TimelineKind::Run => "timeline",
            TimelineKind::Measured => "measured",
            TimelineKind::Predicted => "predicted",
        }
    }

    fn title(self) -> &'static str {
        match self {
            TimelineKind::Run => text::TIMELINE,
            TimelineKind::Measured => text::AS_MEASURED_TIMELINE,
            TimelineKind::Predicted => text::AS_PREDICTED_TIMELINE,
        }
    }

    fn activity(self, activity: &str) -> &'static str {
        match self {
            TimelineKind::Run => draw::activity(activity),
            _ => text::call(activity),
        }
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) shown: TimelineKind,
    /// Whether this timeline has the buttons.
    pub(super) has_controls: bool,
    /// The visible part; `None` is all of it.
    pub(super) visible: Option<VisibleRange>,
    pub(super) on_visible: Callback<Option<VisibleRange>>,
    /// End of the time axis.
    pub(super) end: Micros,
    pub(super) ranks: u32,
    /// Number of the run.
    pub(super) run: u32,
    /// The last computed part.
    pub(super) section: Option<Shared<TimelineSection>>,
    pub(super) path: Option<Shared<PathExcerpt>>,
    /// Requests another part.
    pub(super) on_viewport: Callback<Viewport>,
}

/// The SVG above the canvas.
#[derive(Clone, Copy, PartialEq)]
struct Overlay {
    messages: bool,
    path: bool,
}

#[component]
pub(super) fn Timeline(props: &Props) -> Html {
    let whole = Whole { end: props.end.0, ranks: f64::from(props.ranks) };
    let area = use_node_ref();
    let size = use_size(&area);
    let visible = props
        .visible
        .map_or(whole.visible(), |visible: VisibleRange| visible.moved((0.0, 0.0), whole));
    let set = props.on_visible.reform(move |visible: VisibleRange| {
        (!visible.is_like(whole.visible())).then_some(visible)
    });
    {
        let on_viewport = props.on_viewport.clone();
        let ratio = browser::pixel_ratio();
        use_effect_with((props.run, visible, size), move |(_, visible, size)| {
            if size.width > 0.0 {
                on_viewport.emit(visible.viewport(size.width * ratio / 2.0, size.height));
            }
        });
    }
    let (picture, canvas) = (use_node_ref(), use_node_ref());
    use_painting(&canvas, props, visible, size);
    let over = use_state(|| Overlay { messages: true, path: true });
    let pointed = use_state(|| None::<BusyInterval>);
    let is_focused = use_mut_ref(|| false);
    let drag = use_state(|| None::<((f64, f64), VisibleRange)>);
    {
        let (area, set, is_focused) = (area.clone(), set.clone(), is_focused.clone());
        use_effect_with((visible, whole), move |(visible, whole)| {
            let (visible, whole) = (*visible, *whole);
            let wheel = browser::on_wheel(&area, move |at, turned, is_command| {
                let is_used = is_command || *is_focused.borrow();
                if is_used {
                    let times = 1.0015_f64.powf(turned);
                    set.emit(visible.zoomed(at, (times, 1.0), whole));
                }
                is_used
            });
            move || drop(wheel)
        });
    }
    let on_key = {
        let (set, pointed, section) = (set.clone(), pointed.clone(), props.section.clone());
        move |event: KeyboardEvent| {
            let key = event.key();
            if let Some(visible) = visible.after_key(&key, whole) {
                event.prevent_default();
                set.emit(visible);
            } else if let Some(next) = neighbour(section.as_deref(), pointed.as_ref(), &key) {
                event.prevent_default();
                pointed.set(Some(next));
            }
        }
    };
    let on_press = {
        let (area, drag) = (area.clone(), drag.clone());
        move |event: PointerEvent| {
            browser::capture_pointer(&event, &area);
            drag.set(browser::place_of(&event, &area).map(|at| (at, visible)));
        }
    };
    let on_move = {
        let (area, drag, set) = (area.clone(), drag.clone(), set.clone());
        let (pointed, section) = (pointed.clone(), props.section.clone());
        move |event: PointerEvent| {
            let Some(at) = browser::place_of(&event, &area) else { return };
            match (*drag, browser::pressed_at(&event)) {
                (Some((from, visible)), Some(_)) => {
                    set.emit(visible.moved((from.0 - at.0, from.1 - at.1), whole));
                }
                _ => pointed.set(
                    section.as_ref().and_then(|section| draw::at(section, visible.at(at)).cloned()),
                ),
            }
        }
    };
    let focus = |is: bool| {
        let is_focused = is_focused.clone();
        move |_| *is_focused.borrow_mut() = is
    };
    let description = pointed.as_ref().map(|interval| {
        let doing = props.shown.activity(interval.activity);
        text::interval(&interval.op, doing, interval.start_us, interval.end_us)
    });
    let seen = props.section.as_ref().map(|section| text::contents(section));
    let export = props.section.clone().map(|section| {
        let data = Data::TimelineData(TimelineData { section, visible, end: props.end });
        html! { <Export title={props.shown.title()} area={picture.clone()} {data} /> }
    });
    let id = props.shown.id();
    html! {
        <section class="panel timeline" {id} aria-labelledby={format!("{id}-title")}>
            <h2 id={format!("{id}-title")}>{ props.shown.title() }</h2>
            { props.has_controls.then(|| controls(visible, whole, &set, &over)) }
            { legend(props.shown) }
            <div class="lanes" ref={picture}>
                { ranks(visible, size) }
                <div
                    class="lanes-area"
                    ref={area}
                    tabindex="0"
                    role="group"
                    aria-label={described(visible)}
                    aria-describedby={format!("{id}-hands")}
                    data-from={visible.from.to_string()}
                    data-to={visible.to.to_string()}
                    data-top={visible.top.to_string()}
                    data-bottom={visible.bottom.to_string()}
                    onkeydown={on_key}
                    onpointerdown={on_press}
                    onpointermove={on_move}
                    onfocus={focus(true)}
                    onblur={focus(false)}
                >
                    <canvas ref={canvas} role="img" aria-label={described(visible)} />
                    { lines(props, visible, size, *over, pointed.as_ref()) }
                </div>
                { moments(visible, size) }
            </div>
            { export.unwrap_or_default() }
            <p class="pointed" role="status">{ description.or(seen) }</p>
            <p class={classes!("aside", (!props.has_controls).then_some("unseen"))} id={format!("{id}-hands")}>{ text::TIMELINE_HELP }</p>
        </section>
    }
}

fn described(visible: VisibleRange) -> String {
    let last = (visible.bottom.ceil() as u32).saturating_sub(1);
    text::timeline((visible.top.floor() as u32, last), Micros(visible.from), Micros(visible.to))
}

/// Paints the last computed part at its current position.
#[hook]
fn use_painting(canvas: &NodeRef, props: &Props, visible: VisibleRange, size: Size) {
    let shown = (props.section.clone(), visible, size, props.end, use_colours());
    let canvas = canvas.clone();
    use_effect_with(shown, move |(section, visible, size, end, colours)| {
        if let (Some(section), Some(colours)) = (section, &**colours) {
            paint(&canvas, section, *visible, *size, *end, colours);
        }
    });
}

fn paint(
    canvas: &NodeRef,
    section: &TimelineSection,
    visible: VisibleRange,
    Size { width, height, .. }: Size,
    end: Micros,
    colours: &Colours,
) {
    let ratio = browser::pixel_ratio();
    let [across, down] = [width, height].map(|length| (length * ratio).round() as u32);
    if across == 0 || down == 0 {
        return;
    }
    let colour = |ink: Ink| colours.of(ink);
    let pixels = Image::new(across as usize, down as usize, &colour).paint(section, visible, end.0);
    // Without a canvas, the table of steps still has the times.
    let _ = browser::put_pixels(canvas, across, &pixels);
}

/// Messages, the critical path, and the selected interval.
fn lines(
    props: &Props,
    visible: VisibleRange,
    size: Size,
    over: Overlay,
    pointed: Option<&BusyInterval>,
) -> Option<Html> {
    let Size { width, height, .. } = size;
    let pixel_map = PixelMap { visible, width, height };
    let section = props.section.as_ref();
    // Where intervals are aggregated, messages would hide them.
    let section = section.filter(|section| section.each.is_some());
    let arrows = section.and_then(|section| section.arrows.as_ref()).filter(|_| over.messages);
    let path = props.path.as_ref().filter(|_| over.path);
    let marked = pointed.map(|interval| {
        let (x, y) = (visible.x(interval.start_us.0) * width, visible.y(interval.rank.into()) * height);
        let far = visible.x(interval.end_us.0) * width;
        let low = visible.y(f64::from(interval.rank) + 1.0) * height;
        html! {
            <rect class="pointed-at" x={px(x)} y={px(y)} width={px((far - x).max(2.0))} height={px(low - y)} />
        }
    });
    (width > 0.0).then(|| {
        html! {
            <svg viewBox={format!("0 0 {width} {height}")} aria-hidden="true">
                { arrows.map(|arrows| html! { <path class="flights line-latency" d={pixel_map.arrows(arrows)} /> }) }
                { path.map(|path| {
                    let line = pixel_map.critical_path(&path.path.steps);
                    html! { <><path class="way-halo" d={line.clone()} /><path class="way" d={line} /></> }
                }) }
                { marked }
            </svg>
        }
    })
}

fn ranks(visible: VisibleRange, size: Size) -> Html {
    let label = |rank: u32| {
        let y = visible.y(f64::from(rank) + 0.5) * size.height;
        let is_seen = y >= 0.0 && y <= size.height;
        is_seen.then(|| html! { <text x="100%" y={px(y)}>{ rank.to_string() }</text> })
    };
    let shown = visible.ranks(size.height.max(1.0), size.em.max(1.0));
    html! { <svg class="lane-names" aria-hidden="true">{ for shown.into_iter().filter_map(label) }</svg> }
}

fn moments(visible: VisibleRange, size: Size) -> Html {
    let em = size.em.max(1.0);
    let label = |tick: crate::draw::ticks::Tick| {
        let x = visible.x(tick.value) * size.width;
        let class = match x {
            x if x < 2.5 * em => "start",
            x if x > size.width - 2.5 * em => "end",
            _ => "middle",
        };
        html! { <text {class} x={px(x)} y="1.1em">{ tick.label }</text> }
    };
    let shown = visible.moments(size.width.max(1.0), 1.3 * em);
    html! { <svg class="lane-moments" aria-hidden="true">{ for shown.into_iter().map(label) }</svg> }
}

fn legend(shown: TimelineKind) -> Html {
    let item = |(ink, words): (Ink, &'static str)| {
        html! { <li>{ rich::swatch(ink) }{ words }</li> }
    };
    let busy = ACTIVITIES.map(|activity| (draw::ink(activity), shown.activity(activity)));
    let mut rest = vec![(Ink::Idle, WAITING), (Ink::Latency, text::MESSAGES)];
    if shown == TimelineKind::Measured {
        rest.pop();
    }
    html! { <ul class="legend">{ for busy.into_iter().chain(rest).map(item) }</ul> }
}

fn controls(
    visible: VisibleRange,
    whole: Whole,
    set: &Callback<VisibleRange>,
    over: &UseStateHandle<Overlay>,
) -> Html {
    let button = |(key, sign, words): (&'static str, &'static str, &'static str)| {
        let after = visible.after_key(key, whole).unwrap_or(visible);
        let on_click = set.reform(move |_| after);
        html! {
            <button
                type="button"
                class="sign"
                aria-label={words}
                title={words}
                disabled={after.is_like(visible)}
                onclick={on_click}
            >
                { sign }
            </button>
        }
    };
    let check = |words: &'static str, is: bool, change: fn(Overlay) -> Overlay| {
        let over = over.clone();
        html! {
            <label>
                <input type="checkbox" checked={is} onchange={move |_| over.set(change(*over))} />
                { words }
            </label>
        }
    };
    html! {
        <div class="hands">
            { for [
                ("+", "+", text::NEARER),
                ("-", "−", text::FARTHER),
                ("ArrowLeft", "←", text::EARLIER),
                ("ArrowRight", "→", text::LATER),
                ("PageUp", "↕+", text::FEWER),
                ("PageDown", "↕−", text::MORE),
                ("Home", text::ALL, text::ALL),
            ].into_iter().map(button) }
            { check(text::SHOW_MESSAGES, over.messages, |o| Overlay { messages: !o.messages, ..o }) }
            { check(text::SHOW_PATH, over.path, |o| Overlay { path: !o.path, ..o }) }
        </div>
    }
}

/// The next or the previous interval of the selected one.
fn neighbour(
    section: Option<&TimelineSection>,
    pointed: Option<&BusyInterval>,
    key: &str,
) -> Option<BusyInterval> {
    let each = section?.each.as_ref()?;
    let here = pointed.and_then(|pointed| each.iter().position(|other| other == pointed));
    let next = match (key, here) {
        ("." | ",", None) => 0,
        (".", Some(here)) => (here + 1) % each.len().max(1),
        (",", Some(here)) => here.checked_sub(1).unwrap_or(each.len().saturating_sub(1)),
        _ => return None,
    };
    each.get(next).cloned()
}
