import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { NewAuditRecord } from '../storage/audit-store.ts'
import type { AuditRefusal } from './audit-entry.ts'

/** Records of refusals in a minute, besides one for all others. At 500 bytes each, a day of floods takes 15 MB. */
const MAX_RECORDS = 20
/** Characters kept of the hash of a refused credential: enough to tell two apart, useless for finding it. */
const HASH_PREFIX = 8
/** Different credentials whose hashes a record names. */
const MAX_HASHES = 5

type Counted = { refusal: AuditRefusal; count: number; hashes: Set<string> }

/** Refusals of the current minute, counted by kind, address and what was tried. */
export class RefusalCounter {
  #counted = new Map<string, Counted>()
  #others = new Map<string, number>()

  /** Counts a refusal. Keeps nothing of a credential but the start of its hash. */
  add(refusal: AuditRefusal): void {
    const { action, address, actor, subject, status, sha256 } = refusal
    const key = JSON.stringify([action, addressGroup(address), actor?.id, subject?.id, status])
    const known = this.#counted.get(key)
    if (known === undefined && this.#counted.size >= MAX_RECORDS) {
      this.#others.set(action, (this.#others.get(action) ?? 0) + 1)
      return
    }
    const counted = known ?? { refusal: { ...refusal, sha256: undefined }, count: 0, hashes: new Set<string>() }
    counted.count++
    if (sha256 !== undefined && counted.hashes.size < MAX_HASHES) counted.hashes.add(sha256.slice(0, HASH_PREFIX))
    this.#counted.set(key, counted)
  }

  /** Returns the records of what was counted, and starts over. */
  take(nowMs: number): NewAuditRecord[] {
    const records = [...this.#counted.values()].map((counted) => recordOf(counted, nowMs))
    const others = [...this.#others]
    this.#counted = new Map()
    this.#others = new Map()
    if (others.length === 0) return records
    const count = others.reduce((sum, [, number]) => sum + number, 0)
    // The actions are those of the program, of which there are a few dozen.
    const details = JSON.stringify({ actions: Object.fromEntries(others) })
    return [...records, { at: nowMs, source: 'server', action: 'refuseOthers', outcome: 'refused', count, details }]
  }
}

function recordOf({ refusal, count, hashes }: Counted, nowMs: number): NewAuditRecord {
  const { source, action, actor, subject, address, status } = refusal
  return {
    at: nowMs,
    source,
    action,
    actor_id: actor?.id ?? null,
    actor_name: actor?.name ?? null,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    subject_name: subject?.name ?? null,
    address,
    count,
    outcome: 'refused',
    status,
    details: JSON.stringify(hashes.size === 0 ? {} : { sha256_prefixes: [...hashes] }),
  }
}
