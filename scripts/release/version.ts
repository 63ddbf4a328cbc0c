export function isVersion(text: string): boolean {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(text)
}

/** Compares two versions by their numbers: 0.9.0 is lower than 0.10.0. */
export function isLower(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number))
  const index = numbers.findIndex((number, position) => number !== others[position])
  return index !== -1 && numbers[index] < others[index]
}
