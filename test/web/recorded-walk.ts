/** Points of an ascending walk to the north-east at 1.4 m/s, one every ten seconds. */
export function walkPoints(count: number, { startMs, skip = 0 }: { startMs: number; skip?: number }) {
  return Array.from({ length: count }, (_, position) => {
    const index = position + skip
    return {
      latitude: 45.92 + index * 0.00009,
      longitude: 6.86 + index * 0.00013,
      altitude: 1035 + index,
      speed_mps: 1.4,
      accuracy: 5,
      timestamp: new Date(startMs + index * 10_000).toISOString(),
    }
  })
}
