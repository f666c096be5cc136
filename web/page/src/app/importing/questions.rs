//! Questions about information that the files lack.

use super::answers::{AnswerEdit, Answers, is_wrong};
use super::words as text;
use crate::browser;
use crate::fields::chips::{Chip, Chips};
use loggia_exchange::import::options::{About, Question};
use loggia_exchange::import::result::FileReport;
use loggia_model::signature::Operation;
use yew::{Callback, Event, Html, InputEvent, html};

/// All questions; empty if the files are complete.
pub(super) fn questions(
    questions: &[Question],
    files: &[FileReport],
    answers: &Answers,
    on_answer: &Callback<AnswerEdit>,
) -> Html {
    let between_two: Vec<&str> = files
        .iter()
        .filter(|file| file.taken.iter().any(|run| run.tier.is_some()))
        .map(|file| file.file.as_str())
        .collect();
    if questions.is_empty() && between_two.is_empty() {
        return html! {};
    }
    html! {
        <section aria-labelledby="import-unsaid">
            <h3 id="import-unsaid">{ text::MISSING }</h3>
            { for_all(questions, answers, on_answer) }
            { for questions.iter().enumerate().map(|each| row(each, answers, on_answer)) }
            { tier_choice(&between_two, answers, on_answer) }
        </section>
    }
}

/// One answer for several questions.
fn for_all(questions: &[Question], answers: &Answers, on_answer: &Callback<AnswerEdit>) -> Html {
    let count = questions.iter().filter(|question| question.about == About::Ranks).count();
    let suggests = questions.iter().filter(|question| question.perhaps.is_some()).count() > 1;
    let by_names = suggests.then(|| {
        let on_click = on_answer.reform(|_| AnswerEdit::ByNames);
        html! { <button type="button" onclick={on_click}>{ text::BY_NAMES }</button> }
    });
    let field = (count > 1).then(|| {
        let on_input =
            on_answer.reform(|event: InputEvent| AnswerEdit::Ranks(browser::input_value(&event)));
        number("import-ranks", text::FOR_ALL, &answers.ranks, "", on_input)
    });
    if by_names.is_none() && field.is_none() {
        return html! {};
    }
    html! { <div class="question">{ field.unwrap_or_default() }{ by_names.unwrap_or_default() }</div> }
}

/// A question and its field.
fn row(
    (place, question): (usize, &Question),
    answers: &Answers,
    on_answer: &Callback<AnswerEdit>,
) -> Html {
    let id = format!("import-question-{place}");
    let typed = answers.answer_to(question);
    let field = match question.about {
        About::Ranks => {
            let on_input = {
                let question = question.clone();
                on_answer.reform(move |event: InputEvent| {
                    AnswerEdit::To(question.clone(), browser::input_value(&event))
                })
            };
            number(&id, text::question(question.about), typed, "", on_input)
        }
        About::Operation => operation(&id, question, typed, on_answer),
    };
    let perhaps = question.perhaps.as_ref().filter(|perhaps| *perhaps != typed).map(|perhaps| {
        let (question, value) = (question.clone(), perhaps.clone());
        let on_click = on_answer.reform(move |_| AnswerEdit::To(question.clone(), value.clone()));
        html! { <button type="button" onclick={on_click}>{ text::perhaps(perhaps) }</button> }
    });
    let Question { file, line, benchmark, .. } = question;
    html! {
        <div class="question" key={id.clone()}>
            <small>{ text::place(file, *line, benchmark) }</small>
            { field }
            { perhaps.unwrap_or_default() }
        </div>
    }
}

/// A field for a positive whole number; the placeholder shows the meaning of an empty field.
pub(super) fn number(
    id: &str,
    label: &'static str,
    typed: &str,
    placeholder: &'static str,
    on_input: Callback<InputEvent>,
) -> Html {
    let wrong = is_wrong(typed);
    html! {
        <>
            <label for={id.to_owned()}>{ label }</label>
            <input
                id={id.to_owned()}
                class="field"
                type="text"
                inputmode="numeric"
                autocomplete="off"
                value={typed.to_owned()}
                aria-invalid={wrong.to_string()}
                {placeholder}
                oninput={on_input}
            />
        </>
    }
}

fn operation(id: &str, question: &Question, typed: &str, on_answer: &Callback<AnswerEdit>) -> Html {
    let on_change = {
        let question = question.clone();
        on_answer.reform(move |event: Event| {
            AnswerEdit::To(question.clone(), browser::selected_option(&event))
        })
    };
    let all = Operation::ALL.into_iter().map(|op| (op.name(), op.name()));
    let choices = std::iter::once(("", text::NO_OPERATION)).chain(all);
    html! {
        <>
            <label for={id.to_owned()}>{ text::question(question.about) }</label>
            { list(id, None, choices, typed, on_change) }
        </>
    }
}

/// A list of choices, with a label for screen readers if it has no visible one.
fn list(
    id: &str,
    label: Option<String>,
    choices: impl Iterator<Item = (&'static str, &'static str)>,
    chosen: &str,
    on_change: Callback<Event>,
) -> Html {
    let choice = |(value, words): (&'static str, &'static str)| {
        html! { <option {value} selected={value == chosen}>{ words }</option> }
    };
    html! {
        <select id={id.to_owned()} class="field" aria-label={label} onchange={on_change}>
            { for choices.map(choice) }
        </select>
    }
}

/// The tier of the messages.
fn tier_choice(files: &[&str], answers: &Answers, on_answer: &Callback<AnswerEdit>) -> Html {
    if files.is_empty() {
        return html! {};
    }
    let chip = |(value, label): (&str, &str)| Chip {
        value: value.to_owned(),
        label: label.to_owned(),
        hint: String::new(),
        is_chosen: answers.tier == value,
        is_possible: true,
    };
    let chips: Vec<Chip> = text::TIERS.into_iter().map(chip).collect();
    let assumed = files.iter().any(|file| !answers.has_tier_of(file)).then_some(text::ASSUMED);
    let tiers_of_files = (files.len() > 1).then(|| tiers_of_files(files, answers, on_answer));
    html! {
        <div class="way">
            <Chips name="import-tier" legend={text::TIER_QUESTION} {chips} on_choose={on_answer.reform(AnswerEdit::Tier)} />
            <p class="aside">{ assumed.unwrap_or_default() }</p>
            { tiers_of_files.unwrap_or_default() }
        </div>
    }
}

/// Tiers of single files.
fn tiers_of_files(files: &[&str], answers: &Answers, on_answer: &Callback<AnswerEdit>) -> Html {
    let choices = || {
        let [_, named @ ..] = text::TIERS;
        std::iter::once(("", text::AS_ABOVE)).chain(named)
    };
    let row = |(place, file): (usize, &&str)| {
        let id = format!("import-tier-{place}");
        let name = (*file).to_owned();
        let on_change = on_answer.reform(move |event: Event| {
            AnswerEdit::TierOf(name.clone(), browser::selected_option(&event))
        });
        html! {
            <div class="question" key={id.clone()}>
                <label for={id.clone()}>{ *file }</label>
                { list(&id, None, choices(), answers.tier_of(file), on_change) }
            </div>
        }
    };
    html! {
        <details>
            <summary>{ text::SINGLE }</summary>
            { for files.iter().enumerate().map(row) }
        </details>
    }
}
