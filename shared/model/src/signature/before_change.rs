//! The machine before a parameter was changed, which measured times and closed forms describe.

use super::{Signature, Tier};

impl Signature {
    /// Whether a parameter was changed after the measurement.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.tiers_before_change.is_empty()
    }

    /// The machine before the change, without samples: no prediction uses them.
    #[must_use]
    pub fn before_change(&self) -> Option<Signature> {
        self.is_changed().then(|| Signature {
            tiers: self.tiers_before_change.clone(),
            tiers_before_change: Vec::new(),
            tables: self.tables.clone(),
            ..self.without_measurements()
        })
    }

    /// The machine without measured times and samples: a copy of parameters and closed forms alone.
    #[must_use]
    pub fn without_measurements(&self) -> Signature {
        Signature {
            loggia: self.loggia,
            name: self.name.clone(),
            title: self.title.clone(),
            origin: self.origin.clone(),
            machine: self.machine.clone(),
            collection: self.collection.clone(),
            notes: self.notes.clone(),
            tiers: self.tiers.clone(),
            collectives: self.collectives.clone(),
            tables: Vec::new(),
            tiers_before_change: self.tiers_before_change.clone(),
            samples: Vec::new(),
        }
    }

    /// The tiers that measured times and closed forms describe.
    #[must_use]
    pub fn described_tiers(&self) -> &[Tier] {
        if self.is_changed() { &self.tiers_before_change } else { &self.tiers }
    }

    /// Notes that the tiers have been changed from these ones. Tiers that have already been changed,
    /// and a machine without measured times and closed forms, keep none.
    pub fn changed_from(&mut self, tiers: &[Tier]) {
        let has_times = !self.tables.is_empty() || !self.collectives.is_empty();
        if has_times && !self.is_changed() {
            self.tiers_before_change = tiers.to_vec();
        }
        if self.tiers_before_change == self.tiers {
            self.tiers_before_change.clear();
        }
    }

    /// The tiers and, on a changed machine, those before the change: for values that hold for both.
    pub fn tiers_before_and_now(&mut self) -> impl Iterator<Item = &mut Vec<Tier>> {
        [&mut self.tiers, &mut self.tiers_before_change]
            .into_iter()
            .filter(|tiers| !tiers.is_empty())
    }
}
