//! Hosts, their processors, and the pair of ranks that represents each tier.

use super::commands::{Command, RankGroup, post, read};
use crate::transport::{Rank, RankInfo, Result, Transport};
use loggia_model::signature::{Host, Machine, Reach, Signature};
use loggia_model::units::words::{counted, number};
use std::collections::BTreeSet;

pub(super) struct Ranks {
    pub(super) all: Vec<RankInfo>,
}

/// The two ranks that represent a tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TierPair {
    pub(super) name: &'static str,
    pub(super) reach: Reach,
    pub(super) leader: Rank,
    pub(super) partner: Rank,
}

impl TierPair {
    /// Whether these are ranks 0 and 1, which are in every group.
    pub(super) fn are_first(&self) -> bool {
        self.leader.max(self.partner) == 1
    }
}

impl Ranks {
    /// Requests the information of all ranks.
    pub(super) fn identify(transport: &mut dyn Transport) -> Result<Self> {
        let mut all = vec![transport.rank_info()];
        for rank in 1..transport.ranks() {
            post(transport, rank, &Command::Identify)?;
        }
        for rank in 1..transport.ranks() {
            all.push(read(transport, rank)?);
        }
        Ok(Ranks { all })
    }

    /// The hosts, ordered by their lowest ranks.
    pub(super) fn hosts(&self) -> Vec<Host> {
        let mut hosts: Vec<Host> = Vec::new();
        for (rank, rank_info) in (0..).zip(&self.all) {
            let host = match hosts.iter_mut().find(|host| host.name == rank_info.host) {
                Some(host) => host,
                None => {
                    let name = rank_info.host.clone();
                    hosts.push(Host { name, ranks: Vec::new(), processors: Vec::new() });
                    let Some(host) = hosts.last_mut() else { continue };
                    host
                }
            };
            host.ranks.push(rank);
            host.processors.push(rank_info.may_run_on.clone());
        }
        hosts
    }

    /// A pair per tier: first across hosts, then within a host.
    pub(super) fn tier_pairs(&self) -> Vec<TierPair> {
        let hosts = self.hosts();
        let mut pairs = Vec::new();
        if let [first, second, ..] = hosts.as_slice() {
            pairs.push(TierPair {
                name: "network",
                reach: Reach::Inter,
                leader: first.ranks[0],
                partner: second.ranks[0],
            });
        }
        if let Some(host) = hosts.iter().find(|host| host.ranks.len() > 1) {
            pairs.push(TierPair {
                name: "node",
                reach: Reach::Intra,
                leader: host.ranks[0],
                partner: host.ranks[1],
            });
        }
        pairs
    }

    /// Groups for collective operations: 2, 4, 8 … and all ranks. On several hosts with equal numbers
    /// of ranks: one rank of 2, 4 … hosts; 2, 4 … ranks of one host; all ranks of 2, 4 … hosts. An
    /// operation across hosts scales differently from one within a host.
    pub(super) fn groups(&self) -> Vec<RankGroup> {
        let hosts = self.hosts();
        let per_host = hosts.first().map_or(0, |host| host.ranks.len());
        if hosts.len() < 2 || hosts.iter().any(|host| host.ranks.len() != per_host) {
            return doubled(self.all.len()).map(|procs| RankGroup::first(procs as Rank)).collect();
        }
        let group = |members: Vec<Rank>, per_node: usize| RankGroup {
            members,
            per_node: Some(per_node as u32),
        };
        let of_hosts = |count: usize, ranks: usize| {
            let ranks = hosts[..count].iter().flat_map(|host| &host.ranks[..ranks]).copied();
            ranks.collect::<Vec<Rank>>()
        };
        let across = doubled(hosts.len()).map(|count| group(of_hosts(count, 1), 1));
        let within = doubled(per_host).map(|ranks| group(of_hosts(1, ranks), per_host));
        let all = doubled(hosts.len()).map(|count| group(of_hosts(count, per_host), per_host));
        across.chain(within).chain(all.filter(|_| per_host > 1)).collect()
    }

    /// Disjoint pairs of ranks on the first two hosts.
    pub(super) fn pairs_of_two_hosts(&self) -> Vec<[Rank; 2]> {
        let hosts = self.hosts();
        let [first, second, ..] = hosts.as_slice() else { return Vec::new() };
        first.ranks.iter().zip(&second.ranks).map(|(a, b)| [*a, *b]).collect()
    }

    /// Pairs of neighbouring hosts in a ring, each host in two pairs.
    pub(super) fn host_ring(&self) -> Vec<(Rank, Rank)> {
        let leaders: Vec<Rank> = self.hosts().iter().map(|host| host.ranks[0]).collect();
        match leaders.as_slice() {
            [] | [_] => Vec::new(),
            [a, b] => vec![(*a, *b)],
            leaders => {
                let next = leaders.iter().cycle().skip(1);
                leaders.iter().copied().zip(next.copied()).collect()
            }
        }
    }

    /// Warnings that concern all times: too many ranks per processor, other programs, or a virtual
    /// machine.
    pub(super) fn warnings(&self) -> Vec<String> {
        let oversubscribed = self.oversubscribed().into_iter().map(|host| {
            format!("{host}: ranks share processors, so times include waiting; use fewer ranks")
        });
        let mut warnings: Vec<String> = oversubscribed.collect();
        for host in self.hosts() {
            let on_host = self.all.iter().find(|p| p.host == host.name);
            let Some(rank_info) = on_host else { continue };
            let busy = rank_info.load + host.ranks.len() as f64 - f64::from(rank_info.cores);
            if rank_info.load > 0.3 && busy > 0.3 {
                warnings.push(format!(
                    "{}: other programs use {} of its {} processors, so intervals will be wide; repeat \
                     the measurement on an idle host",
                    host.name,
                    number(rank_info.load, 2),
                    rank_info.cores
                ));
            }
            if rank_info.is_virtual && host.ranks.len() > 1 {
                warnings.push(format!(
                    "{}: this is a virtual machine; another placement of its processors changes times \
                     within the host (2.5 times was seen): measure again at another time, and compare \
                     both files with `loggia compare`",
                    host.name
                ));
            }
        }
        warnings
    }

    /// Whether ranks share processors on any host.
    pub(super) fn share_processors(&self) -> bool {
        !self.oversubscribed().is_empty()
    }

    /// Hosts with more ranks than processors, as text.
    fn oversubscribed(&self) -> Vec<String> {
        let mut differences = Vec::new();
        for host in self.hosts() {
            let on_host = self.all.iter().filter(|p| p.host == host.name);
            let cores = on_host.clone().map(|p| p.cores).max().unwrap_or_default();
            let allowed: BTreeSet<u32> = on_host.flat_map(|p| parsed_list(&p.may_run_on)).collect();
            let free = if allowed.is_empty() { cores } else { cores.min(allowed.len() as u32) };
            if host.ranks.len() as u32 > free {
                differences.push(format!(
                    "{}: {} ranks on {}",
                    host.name,
                    host.ranks.len(),
                    counted(free, "processor")
                ));
            }
        }
        differences
    }

    /// Differences from the machine that the signature was measured on.
    pub(super) fn differences_from(&self, signature: &Signature) -> Vec<String> {
        let mut differences = Vec::new();
        let (now, then) = (self.machine(), &signature.machine);
        let mut differ = |property: &str, now: Option<&String>, then: Option<&String>| {
            if let (Some(now), Some(then)) = (now, then)
                && now != then
            {
                differences.push(format!("{property} is {now} here, but {then} in the signature"));
            }
        };
        differ("the processor", now.processors.as_ref(), then.processors.as_ref());
        differ("the library", now.library.as_ref(), then.library.as_ref());
        differ(
            "the library's version",
            now.library_version.as_ref(),
            then.library_version.as_ref(),
        );
        differences
    }

    pub(super) fn machine(&self) -> Machine {
        let first = &self.all[0];
        let hosts = self.hosts();
        Machine {
            processors: first.processor.clone(),
            nodes: Some(hosts.len() as u32),
            cores_per_node: (first.cores > 0).then_some(first.cores),
            network: None,
            library: first.library.clone(),
            library_version: first.library_version.clone(),
        }
    }
}

/// The processors of a list such as `0-3,8`; empty if it is not such a list.
fn parsed_list(processors: &str) -> Vec<u32> {
    let part = |part: &str| -> Option<std::ops::RangeInclusive<u32>> {
        match part.trim().split_once('-') {
            Some((low, high)) => Some(low.parse().ok()?..=high.parse().ok()?),
            None => part.trim().parse().ok().map(|one| one..=one),
        }
    };
    let parts: Option<Vec<_>> = processors.split(',').map(part).collect();
    parts.into_iter().flatten().flatten().take(1 << 16).collect()
}

/// 2, 4, 8 … and the number itself; empty below 2.
fn doubled(limit: usize) -> impl Iterator<Item = usize> {
    let powers = (1..).map(|k| 1 << k).take_while(move |count| *count < limit);
    powers.chain((limit > 1).then_some(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(hosts: &[&str], may_run_on: &str) -> Ranks {
        let on = |host: &&str| RankInfo {
            host: (*host).to_owned(),
            cores: 4,
            may_run_on: may_run_on.to_owned(),
            ..RankInfo::default()
        };
        Ranks { all: hosts.iter().map(on).collect() }
    }

    #[test]
    fn tiers_are_within_a_host_and_across() {
        let pairs = ranks(&["a", "a", "b", "b"], "0-3").tier_pairs();
        let ends: Vec<_> = pairs.iter().map(|p| (p.name, p.leader, p.partner)).collect();
        assert_eq!(ends, [("network", 0, 2), ("node", 0, 1)]);
        let round_robin = ranks(&["a", "b", "a", "b"], "0-3").tier_pairs();
        let ends: Vec<_> = round_robin.iter().map(|p| (p.name, p.leader, p.partner)).collect();
        assert_eq!(ends, [("network", 0, 1), ("node", 0, 2)]);
        assert_eq!(ranks(&["a", "a"], "0-3").tier_pairs().len(), 1);
    }

    #[test]
    fn too_many_ranks_are_detected() {
        assert_eq!(ranks(&["a"; 4], "0-3").oversubscribed(), Vec::<String>::new());
        assert_eq!(ranks(&["a"; 5], "0-3").oversubscribed(), ["a: 5 ranks on 4 processors"]);
        assert_eq!(ranks(&["a"; 2], "1").oversubscribed(), ["a: 2 ranks on 1 processor"]);
        assert_eq!(parsed_list("0-2,7"), [0, 1, 2, 7]);
    }

    #[test]
    fn virtual_processors_matter_within_a_host() {
        let warnings = |hosts: &[&str], is_virtual| {
            let mut ranks = ranks(hosts, "0-3");
            ranks.all.iter_mut().for_each(|rank| rank.is_virtual = is_virtual);
            ranks.warnings().len()
        };
        assert_eq!(warnings(&["a", "a"], true), 1);
        assert_eq!(warnings(&["a", "a", "b", "b"], true), 2);
        assert_eq!(warnings(&["a", "b"], true), 0);
        assert_eq!(warnings(&["a", "a"], false), 0);
    }

    #[test]
    fn a_ring_of_hosts() {
        assert_eq!(ranks(&["a", "b"], "0").host_ring(), [(0, 1)]);
        assert_eq!(ranks(&["a", "a", "b", "c"], "0").host_ring(), [(0, 2), (2, 3), (3, 0)]);
    }

    #[test]
    fn groups_are_within_a_host_and_across() {
        let groups = |hosts: &[&str]| -> Vec<(Vec<Rank>, Option<u32>)> {
            let groups = ranks(hosts, "0-3").groups().into_iter();
            groups.map(|group| (group.members, group.per_node)).collect()
        };
        let first = |procs: Rank| (Vec::from_iter(0..procs), None);
        assert_eq!(groups(&["a"; 2]), [first(2)]);
        assert_eq!(groups(&["a"; 12]), [2, 4, 8, 12].map(first));
        assert_eq!(
            groups(&["a", "a", "b"]),
            [2, 3].map(first),
            "hosts have different numbers of ranks"
        );
        let alone = |members: &[Rank]| (members.to_vec(), Some(1));
        assert_eq!(groups(&["a", "b", "c"]), [alone(&[0, 1]), alone(&[0, 1, 2])]);
        let full = |members: &[Rank]| (members.to_vec(), Some(2));
        assert_eq!(
            groups(&["a", "a", "b", "b"]),
            [alone(&[0, 2]), full(&[0, 1]), full(&[0, 1, 2, 3])]
        );
        let round_robin = groups(&["a", "b", "a", "b"]);
        assert_eq!(round_robin, [alone(&[0, 1]), full(&[0, 2]), full(&[0, 2, 1, 3])]);
    }
}
