import { readRice, writeRice } from './column-rice.ts'
import type { ColumnWidth } from './column-width.ts'

/** Series of 32-bit words, in `low`: nearly all columns, as offsets from their first or smallest value. */
export const NARROW: ColumnWidth = {
  bytesPerWord: 4,

  difference({ low }, from, count) {
    for (let i = count - 1; i >= from; i--) low[i] -= low[i - 1]
  },

  accumulate({ low }, from, count) {
    for (let i = from; i < count; i++) low[i] += low[i - 1]
  },

  foldSigns({ low }, from, count) {
    for (let i = from; i < count; i++) low[i] = (low[i] << 1) ^ (low[i] >> 31)
  },

  unfoldSigns({ low }, from, count) {
    for (let i = from; i < count; i++) low[i] = (low[i] >>> 1) ^ -(low[i] & 1)
  },

  bits({ low }, from, count, signed) {
    let unused = 0
    if (signed) for (let i = from; i < count; i++) unused += Math.clz32((low[i] << 1) ^ (low[i] >> 31))
    else for (let i = from; i < count; i++) unused += Math.clz32(low[i])
    return 32 * (count - from) - unused
  },

  write(writer, { low }, from, count) {
    writeRice(writer, low, from, count)
  },

  read(reader, { low }, from, count) {
    readRice(reader, low, from, count)
  },
}
