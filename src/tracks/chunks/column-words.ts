/**
 * Scratch memory of the column codec: the numbers of one column on their way between doubles and bytes. It is kept from
 * call to call, because for a batch of ten points allocating it would cost more than coding them.
 */
export type ColumnWords = {
  /** Values that are present, without gaps. */
  readonly values: Float64Array
  /** The same memory as `values`, each double as two halves. */
  readonly valueHalves: Uint32Array
  /** Values as whole multiples of their unit. */
  readonly integers: Float64Array
  /** 32-bit words, or the lower halves of 64-bit ones. */
  readonly low: Uint32Array
  /** Upper halves of 64-bit words. */
  readonly high: Uint32Array
}

/** The largest request; more is not held on to. */
const MAX_KEPT = 2 ** 16

let kept = allocate(0)

/**
 * Scratch memory for `count` numbers, its content undefined. A later call may give the same memory again, so nothing
 * may hold it beyond one column, and nothing asynchronous may stand between.
 */
export function columnWords(count: number): ColumnWords {
  if (count > MAX_KEPT) return allocate(count)
  if (kept.values.length < count) kept = allocate(Math.max(1024, 2 ** Math.ceil(Math.log2(count))))
  return kept
}

function allocate(length: number): ColumnWords {
  const values = new Float64Array(length)
  return {
    values,
    valueHalves: new Uint32Array(values.buffer),
    integers: new Float64Array(length),
    low: new Uint32Array(length),
    high: new Uint32Array(length),
  }
}
