use super::*;
use loggia_exchange::import::ImportOptions;
use loggia_model::json::to_json;
use loggia_model::library;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_simulate::Parameter;
use loggia_simulate::result::Status;

fn question(sig: &str, op: Operation, algorithm: &str, procs: u32) -> RunRequest {
    let (algorithm, procs, bytes) = (algorithm.to_owned(), Procs(procs), Bytes(1000));
    RunRequest {
        runs: RunSource::Algorithm { op, algorithm, procs, bytes },
        signature: to_json(&library::load(sig).unwrap()),
        tier: None,
        style: None,
        rules: None,
        changed: Scenario::default(),
    }
}

/// Serialises request and response, as between page and worker.
fn respond(simulator: &mut Simulator, question: &RunRequest, want: Query) -> Response {
    let request = Request::Run { question: Box::new(question.clone()), want };
    let request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    let response = simulator.answer(&request, &mut |_, _| {});
    let read: Response = serde_json::from_str(&serde_json::to_string(&response).unwrap()).unwrap();
    match response {
        Response::TimelineSection(section) => Response::TimelineSection(section),
        response => {
            assert_eq!(read, response);
            response
        }
    }
}

#[test]
fn every_query_has_a_response_that_serialises() {
    let mut simulator = Simulator::default();
    let ring = question("cray-t3d", Operation::Allreduce, "ring", 8);
    let Response::End(ended) = respond(&mut simulator, &ring, Query::End) else { panic!("no end") };
    let end = ended.answer.time_us.unwrap();
    assert_eq!((ended.answer.rules, ended.operations), ("loggp", 2 * 8 * 14));
    assert_eq!((ended.last_us, ended.closed_form.as_ref().unwrap().time_us), (end, end));
    let Response::Split(bars) = respond(&mut simulator, &ring, Query::Split(3)) else {
        panic!("no bars")
    };
    assert_eq!(
        bars.iter().map(|bar| (bar.first, bar.ranks)).collect::<Vec<_>>(),
        [(0, 3), (3, 3), (6, 2)]
    );
    let Response::Path(path) = respond(&mut simulator, &ring, Query::Path) else {
        panic!("no path")
    };
    let sum: f64 = path.path.terms.iter().map(|term| term.time_us).sum();
    assert!((sum - end.0).abs() < 1e-6 && path.left_out.is_none());
    let Response::Sensitivity(sensitivity) = respond(&mut simulator, &ring, Query::Sensitivity)
    else {
        panic!("no sensitivity")
    };
    let Response::Curve(curve) =
        respond(&mut simulator, &ring, Query::Curve(Parameter::Latency, Micros(20.0)))
    else {
        panic!("no curve")
    };
    let here = curve.pieces.iter().rfind(|piece| piece.from_us <= Micros(7.0)).unwrap();
    assert_eq!(here.slope, sensitivity.d_latency);
    let other = to_json(&library::load("now-sparc").unwrap());
    let none = to_json(&library::load("ibm-sp2").unwrap());
    let response = respond(&mut simulator, &ring, Query::OtherMachine(vec![other, none]));
    let Response::OtherMachine(others) = response else { panic!("{response:?}") };
    assert!(matches!(others[0], OtherMachine::Ran { time_us: Some(_), .. }), "{others:?}");
    assert!(matches!(others[1], OtherMachine::Refused(_)));
}

fn viewport(to: Micros, ranks: u32) -> Viewport {
    Viewport { from: Micros(0.0), to, first: 0, ranks, cells: 100, rows: 10 }
}

#[test]
fn a_short_timeline_has_intervals_and_a_long_one_cells() {
    let mut simulator = Simulator::default();
    let mut section = |procs: u32, viewport: Viewport| {
        let all = question("cray-t3d", Operation::Alltoall, "linear", procs);
        match respond(&mut simulator, &all, Query::TimelineSection(viewport)) {
            Response::TimelineSection(section) => section,
            other => panic!("{other:?}"),
        }
    };
    let few = section(8, viewport(Micros(1e6), 8));
    assert_eq!((few.each.unwrap().len(), few.arrows.unwrap().len()), (112, 56));
    assert_eq!((few.messages, few.shares.len()), (56, 0));
    let many = section(64, viewport(Micros(1e4), 64));
    assert_eq!((many.each, many.arrows), (None, None));
    assert_eq!((many.intervals, many.messages), (64 * 63 * 2, 64 * 63));
    assert_eq!((many.ranks_a_row, many.shares.len()), (7, 10 * 100 * 4));
    assert!(many.shares.iter().any(|share| *share > 0));
    let beyond = section(64, Viewport { first: 60, ..viewport(Micros(1.0), 64) });
    assert_eq!(beyond.intervals, 4, "of four ranks their first send: {beyond:?}");
}

#[test]
fn a_file_is_opened_once_and_a_bad_one_refused() {
    let mut simulator = Simulator::default();
    let request = question("cray-t3d", Operation::Bcast, "binomial", 2);
    let request = RunRequest { runs: RunSource::File, ..request };
    assert!(matches!(respond(&mut simulator, &request, Query::End), Response::Refused(_)));
    let file = b"num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\nrank 1 {\n}\n";
    simulator.add("wait.goal", file.to_vec());
    let Response::End(ended) = respond(&mut simulator, &request, Query::End) else {
        panic!("no end")
    };
    assert_eq!(ended.answer.status, Status::Unmatched);
    assert_eq!((ended.schedule.as_str(), ended.answer.time_us), ("wait.goal", None));
    simulator.add("bad.goal", b"num_ranks x".to_vec());
    let Response::Refused(error) = respond(&mut simulator, &request, Query::End) else {
        panic!("it is damaged")
    };
    assert!(error.place.to_string().starts_with("bad.goal:1"), "{error:?}");
    assert!(matches!(respond(&mut simulator, &request, Query::End), Response::Refused(_)));
}

#[test]
fn a_refit_in_the_worker_equals_a_direct_one() {
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
        Simulator::default().answer(&Request::Fit(to_json(signature)), &mut |_, _| {})
    };
    assert_eq!(fit(&t3d), Response::Fitted(to_json(&here)));
    t3d.samples.clear();
    assert!(matches!(fit(&t3d), Response::Refused(why) if why.message.contains("too few")));
}

const LATENCY: &str = "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n\
    # Size       Avg Latency(us)\n1                       1.00\n1024                    2.00\n\
    4096                    5.00\n";
const ALLREDUCE: &str = "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n\
    # Size       Avg Latency(us)\n8                       9.00\n64                     10.00\n";

fn import(simulator: &mut Simulator, request: &ImportRequest) -> Response {
    let request = Request::Import(Box::new(request.clone()));
    let request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    let response = simulator.answer(&request, &mut |_, _| {});
    serde_json::from_str(&serde_json::to_string(&response).unwrap()).unwrap()
}

#[test]
fn outputs_are_read_once_and_remade_with_each_addition() {
    use loggia_exchange::import::options::PerFile;
    let mut simulator = Simulator::default();
    let request = ImportRequest::default();
    assert!(matches!(import(&mut simulator, &request), Response::Refused(_)), "no file is open");
    for (name, file) in [("x.txt", LATENCY), ("x.txt", ALLREDUCE), ("notes", "hello\n")] {
        simulator.add(name, file.as_bytes().to_vec());
    }
    let Response::Imported(first) = import(&mut simulator, &request) else { panic!("no import") };
    let names: Vec<&str> = first.made.files.iter().map(|file| file.file.as_str()).collect();
    assert_eq!(names, ["x.txt", "x.txt (2)", "notes"]);
    let [question] = &first.made.questions[..] else { panic!("{:?}", first.made.questions) };
    assert_eq!((question.file.as_str(), &first.onto), ("x.txt (2)", &None));
    let options = ImportOptions {
        ranks: vec![PerFile::at(&question.file, question.line, 4)],
        title: Some("Mine".to_owned()),
        ..ImportOptions::default()
    };
    let onto = Some(to_json(&library::load("ibm-sp2").unwrap()));
    let response = import(&mut simulator, &ImportRequest { options, onto });
    let Response::Imported(then) = response else { panic!("{response:?}") };
    assert_eq!(then.made.questions, []);
    let alone = then.alone.unwrap();
    assert_eq!((alone.title.as_str(), alone.name.as_str()), ("Mine", "x"));
    assert_eq!(from_json(&alone.file).unwrap().tiers.len(), 1);
    let onto = then.onto.unwrap().unwrap();
    assert!(onto.merged.iter().any(|one| one.symbol == "EEL"), "{:?}", onto.merged);
    assert_eq!(from_json(&onto.file).unwrap().title, "IBM SP2");
}

#[test]
fn an_import_recognises_traces_and_refuses_unknown_files() {
    let mut simulator = Simulator::default();
    let response = |simulator: &mut Simulator, files: &[(&str, &str)]| {
        files.iter().for_each(|(name, file)| simulator.add(name, file.as_bytes().to_vec()));
        import(simulator, &ImportRequest::default())
    };
    let simgrid = [("ti-0.txt", "0 init\n0 compute 5e5\n"), ("ti-1.txt", "1 init\n")];
    assert_eq!(response(&mut simulator, &simgrid), Response::Program);
    for (name, file, why) in [
        ("x.txt", "hello\n", "no measurement"),
        ("x.txt", "# OSU MPI Latency Test v7.4\n", "no benchmark results"),
        ("x.json", "{\"loggia\": 99}", "newer than this program"),
        ("x.txt", &LATENCY.replace("2.00", "2,00"), "comma"),
    ] {
        let Response::Refused(error) = response(&mut simulator, &[(name, file)]) else {
            panic!("{file}")
        };
        assert!(
            error.message.contains(why) && error.place.to_string().starts_with(name),
            "{error:?}"
        );
    }
    assert!(matches!(response(&mut simulator, &[("x.txt", LATENCY)]), Response::Imported(_)));
    let Response::Refused(error) = response(&mut simulator, &[("a", "1\n"), ("b", "2\n")]) else {
        panic!()
    };
    assert!(error.message.contains("no benchmark results"), "{error:?}");
    assert!(
        matches!(import(&mut simulator, &ImportRequest::default()), Response::Imported(_)),
        "the outputs are still open"
    );
}

#[test]
fn plans_equal_those_of_the_command_bit_by_bit() {
    use loggia_model::ranks::ranks;
    use loggia_plan::plan::Method;
    use loggia_plan::request::Request as PlanRequest;
    use loggia_plan::sketch::{EXAMPLES, Sketch};

    let mut simulator = Simulator::default();
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
    let mut respond = |planning: &Planning, extent| {
        let request = Request::Plan(Box::new(planning.clone()), extent);
        let request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        let response = simulator.answer(&request, &mut |_, _| {});
        let read: Response =
            serde_json::from_str(&serde_json::to_string(&response).unwrap()).unwrap();
        assert_eq!(read, response, "it serialises without loss");
        match response {
            Response::Planned(planned) => planned.map(|planned| *planned),
            response => panic!("{response:?}"),
        }
    };
    let sketch = Sketch::read(&planning.sketch).unwrap();
    for machine in &machines {
        planning.signature = to_json(machine);
        let sums = respond(&planning, Extent::Sums).unwrap();
        assert_eq!(sums.outline.unwrap().steps.len(), 2);
        let sums = sums.plan.unwrap().points;
        assert!(sums.iter().all(|point| point.by == Method::Sum && point.what_if.is_empty()));
        assert_eq!(respond(&planning, Extent::Point(1)), None);
        let whole = respond(&planning, Extent::Whole).unwrap().plan.unwrap();
        let same = PlanRequest { what_if, ..PlanRequest::of(&sketch, machine) }
            .over(&ranks("2,8,1Ki").unwrap());
        assert_eq!(whole, same.unwrap());
        assert_eq!(
            whole.points[2].time_us, sums[2].time_us,
            "beyond the simulated range, the sum stays"
        );
    }
    planning.sketch = "[[step]]\nallreduse = 8".to_owned();
    let refused = respond(&planning, Extent::Sums).unwrap();
    let error = refused.plan.unwrap_err();
    assert_eq!((refused.outline, &*error.place.to_string()), (None, "2:1"));
    assert!(error.help.to_string().contains("did you mean allreduce"), "{error}");
    planning.sketch = "[let]\nt = \"?\"\n[[step]]\ncompute = \"t\"".to_owned();
    let open = respond(&planning, Extent::Sums).unwrap();
    assert!(open.outline.is_some());
    let message = open.plan.unwrap_err().message;
    assert!(message.contains("has no value"), "{message}");
}
