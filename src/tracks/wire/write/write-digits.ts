const ZERO = 0x30

/** Fills the bytes from `start` to `end` with the last digits of an integer below 2^31, best one that V8 holds as such. */
export function writeDigits(bytes: Buffer, start: number, end: number, value: number): void {
  let rest = value
  for (let at = end - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0
    bytes[at] = ZERO + rest - tenth * 10
    rest = tenth
  }
}
