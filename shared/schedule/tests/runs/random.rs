//! Random schedules; some cannot finish.
#![allow(unreachable_pub, reason = "shared by several tests")]

use loggia_schedule::schedule::{ANY, Builder, OpId, Schedule, Step};

/// A small random generator with the same sequence on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Messages between random pairs, computations, and dependencies on earlier operations.
pub fn schedule(random: &mut Random) -> Schedule {
    let ranks = 2 + random.below(5) as u32;
    let cpus = if random.chance(15) { 2 } else { 1 };
    let nics = if random.chance(15) { 2 } else { 1 };
    let mut steps: Vec<Vec<Step>> = vec![Vec::new(); ranks as usize];
    for _ in 0..random.below(24) {
        let from = random.below(u64::from(ranks)) as u32;
        let to = (from + 1 + random.below(u64::from(ranks) - 1) as u32) % ranks;
        let (bytes, tag) = ([0, 1, 8, 100, 1000][random.below(5) as usize], random.below(2) as u32);
        let place = |step: Step, random: &mut Random| {
            step.cpu(random.below(cpus) as u8).nic(random.below(nics) as u8)
        };
        let source = if random.chance(8) { ANY } else { from };
        let received_tag = if random.chance(8) { ANY } else { tag };
        let send = place(Step::send(bytes, to).tag(tag), random);
        steps[from as usize].push(send);
        if !random.chance(2) {
            let recv = place(Step::recv(bytes, source).tag(received_tag), random);
            steps[to as usize].push(recv);
        }
        if random.chance(50) {
            let calc = Step::calc(random.below(2000));
            let calc = place(calc, random);
            steps[random.below(u64::from(ranks)) as usize].push(calc);
        }
    }
    let mut builder = Builder::default();
    for steps in &steps {
        builder.rank();
        let mut before: Vec<OpId> = Vec::new();
        for step in steps {
            let op = builder.push(*step);
            for _ in 0..random.below(3) {
                if before.is_empty() {
                    break;
                }
                let earlier = before[random.below(before.len() as u64) as usize];
                match random.chance(80) {
                    true => builder.after(op, earlier),
                    false => builder.after_start(op, earlier),
                }
            }
            before.push(op);
        }
    }
    builder.finish().expect("peers are ranks")
}
