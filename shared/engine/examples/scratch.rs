use loggia_engine::{loggops::{run, Costs}, observe::Nobody, schedule::*};
use std::time::Instant;
fn diss(p: u32) -> Schedule { let mut b=Builder::default(); b.reserve(p as usize, p as usize*28); for r in 0..p { b.rank(); let mut prev=None; let mut d=1; while d<p { let s=b.push(Step::send(1,(r+d)%p)); if let Some(q)=prev { b.after(s,q);} let v=b.push(Step::recv(1,(r+p-d)%p)); if let Some(q)=prev { b.after(v,q);} prev=Some(v); d*=2; } } b.finish().unwrap() }
fn bcast(p: u32) -> Schedule { let mut b=Builder::default(); b.reserve(p as usize, 2*(p as usize-1)); for r in 0..p { b.rank(); let mut got=None; let mut k=1; if r>0 { while k*2<=r {k*=2;} got=Some(b.push(Step::recv(1,r-k))); k*=2; } while r+k<p { let s=b.push(Step::send(1,r+k)); if let Some(g)=got {b.after(s,g);} k*=2; if k==0 {break} } } b.finish().unwrap() }
fn alltoall(p: u32) -> Schedule { let mut b=Builder::default(); for r in 0..p { b.rank(); for d in 1..p { b.push(Step::send(1,(r+d)%p)); b.push(Step::recv(1,(r+p-d)%p)); } } b.finish().unwrap() }
fn ring(p: u32) -> Schedule { let mut b=Builder::default(); for r in 0..p { b.rank(); let mut prev=None; for _ in 0..2*(p-1) { let s=b.push(Step::send(1024,(r+1)%p)); if let Some(q)=prev {b.after(s,q);} prev=Some(b.push(Step::recv(1024,(r+p-1)%p))); } } b.finish().unwrap() }
fn main() {
  let c=Costs::<u64>{latency:2500,overhead:1500,gap:1000,gap_per_byte:6,overhead_per_byte:0,eager_limit:65535};
  for (name,f,p) in [("diss",diss as fn(u32)->Schedule,16384),("bcast",bcast,1024),("bcast",bcast,131072),("bcast",bcast,1048576),("ring",ring,1024),("alltoall",alltoall,256),("alltoall",alltoall,1024)] {
    if let Some(w)=std::env::args().nth(1) { if w!=name {continue} }
    let t=Instant::now(); let s=f(p); let built=t.elapsed();
    let mut best=f64::MAX; let mut out=None;
    for _ in 0..3 { let t=Instant::now(); let o=run(&s,&c,1,&mut Nobody); best=best.min(t.elapsed().as_secs_f64()); out=Some(o); }
    let o=out.unwrap();
    let rss=std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l|l.starts_with("VmHWM")).unwrap().to_owned();
    println!("{name} {p}: built {built:?} run {best:.3}s {:.1} M/s end {} events {} {} {rss}", o.events as f64/best/1e6, o.end(), o.events, o.left.is_nothing());
  }
}
