import { setTimeout as wait } from 'node:timers/promises'

/** Those who give a thread its work: an event, and within it a person, a token or an operator. */
export type WorkOwner = { eventId: string; person: string }

type Waiting = { begin: () => void }

/**
 * The line of work that waits for a thread. Events take turns, and within an event its people do: who has had a turn
 * goes to the end of the line when it is over. So each other event has at most one turn between two of an event,
 * however much its people send, and each other person of the event at most one between two of a person.
 */
export class FairLine {
  readonly #events = new Map<string, Map<string, Waiting[]>>()
  #isBusy = false

  /** Number of pieces of work that wait. */
  get length(): number {
    return [...this.#events.keys()].reduce((sum, eventId) => sum + this.lengthOf(eventId), 0)
  }

  /** Number of pieces of work of an event that wait. */
  lengthOf(eventId: string): number {
    const people = this.#events.get(eventId) ?? new Map<string, Waiting[]>()
    return [...people.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** Tells whether something of this person waits already. */
  has({ eventId, person }: WorkOwner): boolean {
    return this.#events.get(eventId)?.has(person) ?? false
  }

  /**
   * Resolves when it is somebody's turn, with a function that ends it; undefined if it is not within `limitMs`.
   * @throws the reason of `left` if the client leaves before that
   */
  async turn(owner: WorkOwner, limitMs: number, left?: AbortSignal): Promise<(() => void) | undefined> {
    left?.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    let hasBegun = false
    const waiting = {
      begin: () => {
        hasBegun = true
        resolve()
      },
    }
    this.#add(owner, waiting)
    this.#beginNext()
    const stop = new AbortController()
    const signal = left === undefined ? stop.signal : AbortSignal.any([left, stop.signal])
    await Promise.race([promise, wait(limitMs, undefined, { signal }).catch(() => {})])
    stop.abort()
    // A turn may begin while its client leaves. It must end, or nobody would ever have one again.
    if (!hasBegun) this.#remove(owner, waiting)
    else if (left?.aborted) this.#end(owner)
    left?.throwIfAborted()
    return hasBegun ? () => this.#end(owner) : undefined
  }

  #add({ eventId, person }: WorkOwner, waiting: Waiting): void {
    const people = this.#events.get(eventId) ?? new Map<string, Waiting[]>()
    people.set(person, [...(people.get(person) ?? []), waiting])
    this.#events.set(eventId, people)
  }

  #remove({ eventId, person }: WorkOwner, waiting: Waiting): void {
    const people = this.#events.get(eventId)
    const rest = people?.get(person)?.filter((one) => one !== waiting) ?? []
    if (rest.length > 0) people?.set(person, rest)
    else people?.delete(person)
    if (people?.size === 0) this.#events.delete(eventId)
  }

  #beginNext(): void {
    const [first] = this.#events
    if (this.#isBusy || first === undefined) return
    const [eventId, people] = first
    const [[person, [next]]] = people
    this.#isBusy = true
    this.#remove({ eventId, person }, next)
    next.begin()
  }

  #end({ eventId, person }: WorkOwner): void {
    this.#isBusy = false
    const people = this.#events.get(eventId)
    if (people !== undefined) moveToEnd(people, person)
    moveToEnd(this.#events, eventId)
    this.#beginNext()
  }
}

function moveToEnd<Value>(line: Map<string, Value>, key: string): void {
  const value = line.get(key)
  if (value === undefined) return
  line.delete(key)
  line.set(key, value)
}
