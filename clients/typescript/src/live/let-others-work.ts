type Scheduling = { scheduler?: { yield?(): Promise<void> } }

/** Lets the page draw, and do what else is due. */
export async function letOthersWork(): Promise<void> {
  const { scheduler } = globalThis as unknown as Scheduling
  if (scheduler?.yield === undefined) await new Promise((resolve) => setTimeout(resolve))
  else await scheduler.yield()
}
