import { readPacked, writePacked } from './column-packed.ts'
import type { ColumnWidth } from './column-width.ts'

/**
 * Series of 64-bit words, in `high` and `low`: doubles as their bits, and integers that spread too far for 32 bits.
 * Neighbouring doubles have neighbouring bits, so differences of bits are as small as those of values; that beats XOR,
 * whose result is large whenever a carry runs through.
 */
export const WIDE: ColumnWidth = {
  bytesPerWord: 8,

  difference({ low, high }, from, count) {
    for (let i = count - 1; i >= from; i--) {
      high[i] -= high[i - 1] + (low[i] < low[i - 1] ? 1 : 0)
      low[i] -= low[i - 1]
    }
  },

  accumulate({ low, high }, from, count) {
    for (let i = from; i < count; i++) {
      low[i] += low[i - 1]
      high[i] += high[i - 1] + (low[i] < low[i - 1] ? 1 : 0)
    }
  },

  foldSigns({ low, high }, from, count) {
    for (let i = from; i < count; i++) {
      const sign = high[i] >> 31
      high[i] = ((high[i] << 1) | (low[i] >>> 31)) ^ sign
      low[i] = (low[i] << 1) ^ sign
    }
  },

  unfoldSigns({ low, high }, from, count) {
    for (let i = from; i < count; i++) {
      const sign = -(low[i] & 1)
      low[i] = ((low[i] >>> 1) | (high[i] << 31)) ^ sign
      high[i] = (high[i] >>> 1) ^ sign
    }
  },

  bits({ low, high }, from, count, signed) {
    let unused = 0
    for (let i = from; i < count; i++) {
      const sign = signed ? high[i] >> 31 : 0
      const upper = high[i] ^ sign
      unused += upper === 0 ? 32 + Math.clz32(low[i] ^ sign) : Math.clz32(upper)
      unused -= signed ? 1 : 0
    }
    return 64 * (count - from) - unused
  },

  write(writer, { low, high }, from, count) {
    writePacked(writer, low, high, from, count)
  },

  read(reader, { low, high }, from, count) {
    readPacked(reader, low, high, from, count)
  },
}
