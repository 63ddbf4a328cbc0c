import { shareProcess } from './end-of-process.ts'
import { loadTestRunner } from './load-test-runner.ts'

// Before anything else loads it.
await loadTestRunner()
const { after, test } = await import('node:test')
const { noteCosts } = await import('./test-costs.ts')

/** A file that takes longer waits for something that does not come, and would hold up the run for ever. */
const FILE_TIME_LIMIT_MS = 15 * 60_000
/** File for the processor time of each test, if the run is to print it. */
const { TEST_COSTS: costs } = process.env

/**
 * Runs test files in this process, one after the other, each as a test that has its path as a name.
 * Its hooks run before and after its own tests, as they do in a process of its own, so that its
 * servers are gone when the next file starts. They share a browser.
 * @param files paths below the project's folder
 */
export function runInTurn(files: readonly string[]): void {
  // Before the browser is closed, whose processes nobody has waited for then.
  if (costs !== undefined) noteCosts(costs)
  after(shareProcess())
  for (const file of files) {
    // The runner adds what the file declares to the test that imports it, and waits for it.
    test(file, { timeout: FILE_TIME_LIMIT_MS }, async () => {
      await import(new URL(`../../${file}`, import.meta.url).href)
    })
  }
}
