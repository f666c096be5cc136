//! Random machines and numbers, the same in every run.

use crate::collective::Costs;

/// A machine with overheads that grow with the message size.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::collective) struct Machine {
    pub latency: u64,
    /// Fixed time, and time per 1000 bytes.
    pub send: [u64; 2],
    pub recv: [u64; 2],
    pub gap: u64,
    pub per_byte: u64,
    pub compute: u64,
}

impl Costs for Machine {
    fn send(&self, bytes: u64) -> u64 {
        self.send[0] + self.send[1] * bytes / 1000
    }

    fn recv(&self, bytes: u64) -> u64 {
        self.recv[0] + self.recv[1] * bytes / 1000
    }

    fn latency(&self, _: u64) -> u64 {
        self.latency
    }

    fn gap(&self) -> u64 {
        self.gap
    }

    fn bytes(&self, bytes: u64) -> u64 {
        self.per_byte * bytes.saturating_sub(1)
    }

    fn compute(&self, bytes: u64) -> u64 {
        self.compute * bytes
    }
}

impl Machine {
    /// A random machine; equal and zero parameters are frequent.
    pub(super) fn draw(draw: &mut Draw) -> Self {
        let mut any = |most: u32| match draw.below(6) {
            0 => 0,
            1 => u64::from(most / 2),
            _ => u64::from(draw.below(most)),
        };
        Machine {
            latency: any(4000),
            send: [any(3000), any(30)],
            recv: [any(3000), any(30)],
            gap: any(5000),
            per_byte: any(12),
            compute: any(8),
        }
    }
}

/// Random numbers (a linear congruential generator, Knuth's MMIX).
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Draw(seed)
    }

    /// A number below `most`, which must not be 0.
    pub(super) fn below(&mut self, most: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(most)) as u32
    }
}
