/** Values that are read without a break: about half a millisecond. */
const VALUES_AT_ONCE = 4000

type Scheduling = { scheduler?: { yield?(): Promise<void> } }

/** Lets the page draw, and do what else is due. */
export async function letOthersWork(): Promise<void> {
  const { scheduler } = globalThis as unknown as Scheduling
  if (scheduler?.yield === undefined) await new Promise((resolve) => setTimeout(resolve))
  else await scheduler.yield()
}

export type Pauses = ReturnType<typeof createPauses>

/** Creates the count of values since the last pause. */
export function createPauses() {
  let left = VALUES_AT_ONCE
  return {
    /** Counts values that are to be read next. Returns true if a pause is due before. */
    isDue(values: number): boolean {
      left -= values
      if (left >= 0) return false
      left = VALUES_AT_ONCE - values
      return true
    },
  }
}
