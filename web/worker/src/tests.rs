use super::*;
use loggia_exchange::import::Said;
use loggia_model::json::to_json;
use loggia_model::library;
use loggia_simulate::answer::Status;

fn question(sig: &str, op: Operation, algorithm: &str, procs: u32) -> Question {
    let (algorithm, procs, bytes) = (algorithm.to_owned(), Procs(procs), Bytes(1000));
    Question {
        runs: Runs::Algorithm { op, algorithm, procs, bytes },
        signature: to_json(&library::load(sig).unwrap()),
        tier: None,
        style: None,
        rules: None,
        changed: Changed::default(),
    }
}

/// As it goes through a thread's door and back.
fn ask(desk: &mut Desk, question: &Question, want: Want) -> Told {
    let request = Request::Run { question: Box::new(question.clone()), want };
    let request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    let told = desk.answer(&request, &mut |_, _| {});
    let read: Told = serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap();
    match told {
        Told::Sight(sight) => Told::Sight(sight),
        told => {
            assert_eq!(read, told);
            told
        }
    }
}

#[test]
fn every_want_is_answered_and_can_be_told() {
    let mut desk = Desk::default();
    let ring = question("cray-t3d", Operation::Allreduce, "ring", 8);
    let Told::End(ended) = ask(&mut desk, &ring, Want::End) else { panic!("no end") };
    let end = ended.answer.time_us.unwrap();
    assert_eq!((ended.answer.rules, ended.operations), ("loggp", 2 * 8 * 14));
    assert_eq!((ended.last_us, ended.closed_form.as_ref().unwrap().time_us), (end, end));
    let Told::Split(bars) = ask(&mut desk, &ring, Want::Split(3)) else { panic!("no bars") };
    assert_eq!(
        bars.iter().map(|bar| (bar.first, bar.ranks)).collect::<Vec<_>>(),
        [(0, 3), (3, 3), (6, 2)]
    );
    let Told::Path(way) = ask(&mut desk, &ring, Want::Path) else { panic!("no path") };
    let sum: f64 = way.path.terms.iter().map(|term| term.time_us).sum();
    assert!((sum - end.0).abs() < 1e-6 && way.left_out.is_none());
    let Told::Sensitivity(moves) = ask(&mut desk, &ring, Want::Sensitivity) else {
        panic!("no sensitivity")
    };
    let Told::Curve(curve) = ask(&mut desk, &ring, Want::Curve(Parameter::Latency, Micros(20.0)))
    else {
        panic!("no curve")
    };
    let here = curve.pieces.iter().rfind(|piece| piece.from_us <= Micros(7.0)).unwrap();
    assert_eq!(here.slope, moves.d_latency);
    let other = to_json(&library::load("now-sparc").unwrap());
    let none = to_json(&library::load("ibm-sp2").unwrap());
    let told = ask(&mut desk, &ring, Want::Elsewhere(vec![other, none]));
    let Told::Elsewhere(others) = told else { panic!("{told:?}") };
    assert!(matches!(others[0], Elsewhere::Ran { time_us: Some(_), .. }), "{others:?}");
    assert!(matches!(others[1], Elsewhere::Refused(_)));
}

fn glass(to: Micros, ranks: u32) -> Glass {
    Glass { from: Micros(0.0), to, first: 0, ranks, cells: 100, rows: 10 }
}

#[test]
fn a_short_timeline_is_told_span_by_span_and_a_long_one_in_cells() {
    let mut desk = Desk::default();
    let mut look = |procs: u32, glass: Glass| {
        let all = question("cray-t3d", Operation::Alltoall, "linear", procs);
        match ask(&mut desk, &all, Want::Sight(glass)) {
            Told::Sight(sight) => sight,
            other => panic!("{other:?}"),
        }
    };
    let few = look(8, glass(Micros(1e6), 8));
    assert_eq!((few.each.unwrap().len(), few.arrows.unwrap().len()), (112, 56));
    assert_eq!((few.messages, few.shares.len()), (56, 0));
    let many = look(64, glass(Micros(1e4), 64));
    assert_eq!((many.each, many.arrows), (None, None));
    assert_eq!((many.stretches, many.messages), (64 * 63 * 2, 64 * 63));
    assert_eq!((many.ranks_a_row, many.shares.len()), (7, 10 * 100 * 4));
    assert!(many.shares.iter().any(|share| *share > 0));
    let beyond = look(64, Glass { first: 60, ..glass(Micros(1.0), 64) });
    assert_eq!(beyond.stretches, 4, "of four ranks their first send: {beyond:?}");
}

#[test]
fn a_file_is_opened_once_and_a_bad_one_refused() {
    let mut desk = Desk::default();
    let asked = question("cray-t3d", Operation::Bcast, "binomial", 2);
    let asked = Question { runs: Runs::File, ..asked };
    assert!(matches!(ask(&mut desk, &asked, Want::End), Told::Refused(_)));
    let file = b"num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\nrank 1 {\n}\n";
    desk.add("wait.goal", file.to_vec());
    let Told::End(ended) = ask(&mut desk, &asked, Want::End) else { panic!("no end") };
    assert_eq!(ended.answer.status, Status::Unmatched);
    assert_eq!((ended.schedule.as_str(), ended.answer.time_us), ("wait.goal", None));
    desk.add("bad.goal", b"num_ranks x".to_vec());
    let Told::Refused(error) = ask(&mut desk, &asked, Want::End) else { panic!("it is damaged") };
    assert!(error.place.starts_with("bad.goal:1"), "{error:?}");
    assert!(matches!(ask(&mut desk, &asked, Want::End), Told::Refused(_)));
}

#[test]
fn a_signature_is_fitted_again_as_it_is_here() {
    use loggia_model::signature::{Quantity, Samples};
    let mut t3d = library::load("cray-t3d").unwrap();
    let times = [19.9, 20.0, 20.1, 20.0, 19.8, 20.2, 20.0, 20.0].map(Micros).to_vec();
    t3d.samples = vec![Samples {
        tier: Some("network".to_owned()),
        style: Some("isend".to_owned()),
        bytes: Some(Bytes(8)),
        times,
        ..Samples::raw(Quantity::SendOverhead)
    }];
    let mut here = refit(&t3d).unwrap();
    here.samples.clear();
    let fit = |signature: &Signature| {
        Desk::default().answer(&Request::Fit(to_json(signature)), &mut |_, _| {})
    };
    assert_eq!(fit(&t3d), Told::Fitted(to_json(&here)));
    t3d.samples.clear();
    assert!(matches!(fit(&t3d), Told::Refused(why) if why.message.contains("too few")));
}

const LATENCY: &str = "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n\
    # Size       Avg Latency(us)\n1                       1.00\n1024                    2.00\n\
    4096                    5.00\n";
const ALLREDUCE: &str = "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n\
    # Size       Avg Latency(us)\n8                       9.00\n64                     10.00\n";

fn import(desk: &mut Desk, asked: &Importing) -> Told {
    let request = Request::Import(Box::new(asked.clone()));
    let request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    let told = desk.answer(&request, &mut |_, _| {});
    serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap()
}

#[test]
fn outputs_are_read_once_and_made_anew_when_more_is_said() {
    use loggia_exchange::import::said::Of;
    let mut desk = Desk::default();
    let asked = Importing::default();
    assert!(matches!(import(&mut desk, &asked), Told::Refused(_)), "nothing is open");
    for (name, file) in [("x.txt", LATENCY), ("x.txt", ALLREDUCE), ("notes", "hello\n")] {
        desk.add(name, file.as_bytes().to_vec());
    }
    let Told::Imported(first) = import(&mut desk, &asked) else { panic!("no import") };
    let names: Vec<&str> = first.made.files.iter().map(|file| file.file.as_str()).collect();
    assert_eq!(names, ["x.txt", "x.txt (2)", "notes"]);
    let [question] = &first.made.questions[..] else { panic!("{:?}", first.made.questions) };
    assert_eq!((question.file.as_str(), &first.onto), ("x.txt (2)", &None));
    let said = Said {
        ranks: vec![Of::at(&question.file, question.line, 4)],
        title: Some("Mine".to_owned()),
        ..Said::default()
    };
    let onto = Some(to_json(&library::load("ibm-sp2").unwrap()));
    let told = import(&mut desk, &Importing { said, onto });
    let Told::Imported(then) = told else { panic!("{told:?}") };
    assert_eq!(then.made.questions, []);
    let alone = then.alone.unwrap();
    assert_eq!((alone.title.as_str(), alone.name.as_str()), ("Mine", "x"));
    assert_eq!(from_json(&alone.file).unwrap().tiers.len(), 1);
    let onto = then.onto.unwrap().unwrap();
    assert!(onto.merged.iter().any(|one| one.symbol == "EEL"), "{:?}", onto.merged);
    assert_eq!(from_json(&onto.file).unwrap().title, "IBM SP2");
}

#[test]
fn what_is_to_be_imported_may_be_something_else() {
    let mut desk = Desk::default();
    let told = |desk: &mut Desk, files: &[(&str, &str)]| {
        files.iter().for_each(|(name, file)| desk.add(name, file.as_bytes().to_vec()));
        import(desk, &Importing::default())
    };
    let simgrid = [("ti-0.txt", "0 init\n0 compute 5e5\n"), ("ti-1.txt", "1 init\n")];
    assert_eq!(told(&mut desk, &simgrid), Told::Program);
    for (name, file, why) in [
        ("x.txt", "hello\n", "expected"),
        ("x.txt", "# OSU MPI Latency Test v7.4\n", "no benchmark's numbers"),
        ("x.json", "{\"loggia\": 99}", "newer than this program"),
        ("x.txt", &LATENCY.replace("2.00", "2,00"), "comma"),
    ] {
        let Told::Refused(error) = told(&mut desk, &[(name, file)]) else { panic!("{file}") };
        assert!(error.message.contains(why) && error.place.starts_with(name), "{error:?}");
    }
    assert!(matches!(told(&mut desk, &[("x.txt", LATENCY)]), Told::Imported(_)));
    let Told::Refused(error) = told(&mut desk, &[("a", "1\n"), ("b", "2\n")]) else { panic!() };
    assert!(error.message.contains("no benchmark's numbers"), "{error:?}");
    assert!(matches!(import(&mut desk, &Importing::default()), Told::Imported(_)), "as before");
}

#[test]
fn a_sketch_is_planned_bit_by_bit_as_the_command_plans_it() {
    use loggia_model::ranks::ranks;
    use loggia_plan::plan::{Method, Request as PlanRequest};
    use loggia_plan::sketch::{EXAMPLES, Sketch};

    let mut desk = Desk::default();
    let machines = ["cray-t3d", "ap3000-mpi"].map(|name| library::load(name).unwrap());
    let what_if = WhatIf { latency: 0.5, ..WhatIf::default() };
    let mut planning = Planning {
        sketch: EXAMPLES[0].1.to_owned(),
        ranks: "2,8,1Ki".to_owned(),
        signature: String::new(),
        tier: None,
        style: None,
        rules: None,
        what_if,
    };
    let mut ask = |planning: &Planning, extent| {
        let request = Request::Plan(Box::new(planning.clone()), extent);
        let request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        let told = desk.answer(&request, &mut |_, _| {});
        let read: Told = serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap();
        assert_eq!(read, told, "it goes through the thread's door");
        match told {
            Told::Planned(planned) => planned.map(|planned| *planned),
            told => panic!("{told:?}"),
        }
    };
    let sketch = Sketch::read(&planning.sketch).unwrap();
    for machine in &machines {
        planning.signature = to_json(machine);
        let sums = ask(&planning, Extent::Sums).unwrap();
        assert_eq!(sums.outline.unwrap().steps.len(), 2);
        let sums = sums.plan.unwrap().points;
        assert!(sums.iter().all(|point| point.by == Method::Sum && point.what_if.is_empty()));
        assert_eq!(ask(&planning, Extent::Point(1)), None);
        let whole = ask(&planning, Extent::Whole).unwrap().plan.unwrap();
        let same = PlanRequest { what_if, ..PlanRequest::of(&sketch, machine) }
            .over(&ranks("2,8,1Ki").unwrap());
        assert_eq!(whole, same.unwrap());
        assert_eq!(whole.points[2].time_us, sums[2].time_us, "nothing that large is run");
    }
    planning.sketch = "[[step]]\nallreduse = 8".to_owned();
    let refused = ask(&planning, Extent::Sums).unwrap();
    let error = refused.plan.unwrap_err();
    assert_eq!((refused.outline, error.place.as_str()), (None, "2:1"));
    assert!(error.help.contains("did you mean allreduce"), "{error}");
    planning.sketch = "[let]\nt = \"?\"\n[[step]]\ncompute = \"t\"".to_owned();
    let open = ask(&planning, Extent::Sums).unwrap();
    assert!(open.outline.is_some() && open.plan.unwrap_err().message.contains("open"));
}
