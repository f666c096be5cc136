//! The signature file of a run, and the resumption of an interrupted run.

use super::machine::Ranks;
use super::options::Options;
use super::stop::ExitMessage;
use super::tier_run::TierRun;
use crate::atomic_file::{cannot_write, write_whole};
use loggia_model::signature::{Clock, Collection, Machine, Measured, Origin, Samples, Signature};
use loggia_model::{Error, json};
use std::fs;
use std::io::Write;
use std::path::Path;

pub(super) struct SignatureFile {
    pub(super) signature: Signature,
    /// Warnings that concern the whole run.
    warnings: Vec<String>,
    exit_message: ExitMessage,
}

/// Facts that must be equal to resume a run: the machine and the plan.
fn same_run<'a>(collection: &'a Collection, machine: &'a Machine) -> impl PartialEq + use<'a> {
    let hosts: Vec<_> = collection.hosts.iter().map(|h| (&h.name, &h.ranks)).collect();
    let library = (&machine.library, &machine.library_version, &machine.processors);
    (&collection.transport, &collection.plan, collection.ranks, hosts, library)
}

/// Checks that the result can be written, before anything is measured.
pub(super) fn check_output(options: &Options) -> Result<(), Error> {
    let (path, place) = (&options.output, options.output.display().to_string());
    if path.is_dir() {
        return Err(Error::new(
            "this is a folder",
            place,
            "name the file to write, such as sig.json",
        ));
    }
    if path.exists() && !options.resume && !options.overwrite {
        return Err(Error::new(
            "the file exists",
            place,
            "choose another name, continue the run with --resume, or replace the file with --overwrite",
        ));
    }
    if !path.exists() && options.resume {
        return Err(Error::new("there is no run to resume", place, "omit --resume"));
    }
    // Create a temporary file, as for saving.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let probe = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
    probe.map(drop).map_err(|error| cannot_write(&error, path))
}

impl SignatureFile {
    /// A new file, or the file to resume.
    pub(super) fn begin(
        options: &Options,
        transport: &str,
        ranks: &Ranks,
        clock: Clock,
        exit_message: ExitMessage,
    ) -> Result<Self, Error> {
        let mut machine = ranks.machine();
        let hosts = ranks.hosts();
        let host = match hosts.as_slice() {
            [one] => one.name.clone(),
            [first, .., last] => format!("{} … {}", first.name, last.name),
            [] => String::new(),
        };
        if transport != "mpi" {
            machine.library.get_or_insert_with(|| "none".to_owned());
        }
        let collection = Collection {
            transport: transport.to_owned(),
            plan: options.plan_text(),
            ranks: ranks.all.len() as u32,
            hosts,
            clock,
            settings: ranks.all[0].settings.clone(),
            measured: Vec::new(),
            finished: false,
        };
        let signature = Signature {
            loggia: Signature::VERSION,
            name: options.name.clone(),
            title: options.title.clone(),
            origin: Origin::Measurement {
                tool: format!("loggia {}", env!("CARGO_PKG_VERSION")),
                method: format!("loggia collect over {transport}, {} plan", options.level.name()),
                host,
                command: options.command.clone(),
                date: options.date.clone(),
            },
            machine,
            collection: Some(collection),
            notes: Vec::new(),
            tiers: Vec::new(),
            collectives: Vec::new(),
            tables: Vec::new(),
            samples: Vec::new(),
            tiers_before_change: Vec::new(),
        };
        let fresh = SignatureFile { signature, warnings: ranks.warnings(), exit_message };
        if options.resume { fresh.resumed(options) } else { Ok(fresh) }
    }

    /// The interrupted run in the file, if it has the same plan and machine.
    fn resumed(self, options: &Options) -> Result<Self, Error> {
        let place = options.output.display().to_string();
        let help = "omit --resume and name another file";
        let refuse = |message: &str| Error::new(message, place.clone(), help);
        let text = fs::read_to_string(&options.output)
            .map_err(|error| refuse(&format!("this file cannot be read: {}", error.kind())))?;
        let old = json::from_json(&text).map_err(|error| error.in_file(&place))?;
        let (Some(before), Some(now)) = (&old.collection, &self.signature.collection) else {
            return Err(refuse("this signature was not measured by loggia collect"));
        };
        if same_run(before, &old.machine) != same_run(now, &self.signature.machine) {
            let message = match before.plan == now.plan {
                true => "this file was measured on another machine, or on other ranks or hosts",
                false => "this file was measured with another plan",
            };
            return Err(refuse(message));
        }
        if before.finished {
            return Err(refuse("this run is finished"));
        }
        Ok(SignatureFile { signature: old, ..self })
    }

    fn collection(&mut self) -> Option<&mut Collection> {
        self.signature.collection.as_mut()
    }

    /// Whether the resumed run contains this measurement.
    pub(super) fn has(&self, name: &str) -> bool {
        let collection = self.signature.collection.as_ref();
        collection.is_some_and(|c| c.measured.iter().any(|m| m.name == name))
    }

    /// Adds a note, at the next fit.
    pub(super) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    pub(super) fn add(&mut self, tier: Option<&str>, measured: Measured, samples: Vec<Samples>) {
        let all = &mut self.signature.samples;
        for samples in samples {
            let samples = Samples { tier: tier.map(str::to_owned), ..samples };
            match all.iter_mut().find(|known| known.is_like(&samples)) {
                Some(known) => known.extend(samples),
                None => all.push(samples),
            }
        }
        if let Some(collection) = self.collection() {
            collection.measured.push(measured);
        }
    }

    /// Fits all parameters to the samples.
    pub(super) fn fit(&mut self, tiers: &[TierRun]) {
        let fitted = tiers.iter().map(|TierRun { pair, path, .. }| {
            let mut fitted = loggia_fit::tier(pair.name, pair.reach, &self.signature.samples);
            fitted.tier.path = Some(path.clone());
            (fitted.tier, fitted.remarks)
        });
        let (tiers, remarks): (Vec<_>, Vec<_>) = fitted.unzip();
        self.signature.tiers = tiers;
        let forms = loggia_fit::collective::collectives(&self.signature.samples);
        self.signature.collectives = forms.collectives;
        self.signature.tables = loggia_fit::tables(&self.signature.samples);
        let measured = self.signature.collection.iter().flat_map(|c| &c.measured);
        let measurement_remarks = measured.flat_map(|measured| measured.remarks.clone());
        self.signature.notes = self.warnings.iter().cloned().chain(measurement_remarks).collect();
        self.signature.notes.extend(remarks.concat());
        self.signature.notes.extend(forms.remarks);
    }

    /// Marks the run as finished and makes the last fit.
    pub(super) fn finish(&mut self, tiers: &[TierRun]) {
        if let Some(collection) = self.collection() {
            collection.finished = true;
        }
        self.fit(tiers);
        loggia_identify::note(&mut self.signature);
    }

    /// Writes the file; signals wait until the file is complete.
    pub(super) fn save(&self, options: &Options) -> Result<(), Error> {
        let mut exit_message = self.exit_message.hold();
        let text = json::to_json(&self.signature);
        write_whole(&options.output, |out| out.write_all(text.as_bytes()))?;
        let count = self.signature.collection.as_ref().map_or(0, |c| c.measured.len());
        *exit_message = format!(
            "{count} measurements are saved in {}; continue with the same command and --resume",
            options.output.display()
        );
        Ok(())
    }
}
