/** A key with its value. Keys are ASCII. */
export type Row = [key: string, value: string]

/** A key with its new value; null removes the key. */
export type Change = [key: string, value: string | null]

/** Storage of the queue: keys in order, with text values. */
export type QueueStorage = {
  /**
   * Name of a Web Lock that excludes everyone else who uses this storage. Without it, senders
   * take turns by leases in the storage itself.
   */
  readonly lockName?: string
  /** Returns the rows with `from <= key < until` in the order of their keys, at most `limit`. */
  read(from: string, until: string, limit: number): Promise<Row[]>
  /**
   * Applies all changes or none, and resolves once they survive a crash. With `expected`, only if each of these keys
   * has its value (null: is absent) at the same moment.
   * @returns whether the changes were applied
   */
  write(changes: readonly Change[], expected?: readonly Change[]): Promise<boolean>
}
