/** Receives what became of something damaged: the reason why it could not be repaired, or undefined if it was. */
export type OnRepair = (result: { key: string; problem: string; reason: string | undefined }) => void

/** The outcome of a repair: what is whole again, and what no snapshot has a good copy of. */
export type RepairOutcome = { repaired: string[]; not_repaired: { key: string; problem: string; reason: string }[] }

/** Begins an outcome, which grows as results come, each of which is said, too. */
export function collectRepairs(say: (line: string) => void): { outcome: RepairOutcome; onRepair: OnRepair } {
  const outcome: RepairOutcome = { repaired: [], not_repaired: [] }
  const onRepair: OnRepair = ({ key, problem, reason }) => {
    say(`${key}: ${reason ?? 'repaired'}`)
    if (reason === undefined) outcome.repaired.push(key)
    else outcome.not_repaired.push({ key, problem, reason })
  }
  return { outcome, onRepair }
}
