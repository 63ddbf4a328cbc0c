import { test } from 'node:test'

/**
 * Runs test files in this process, one after the other, each as a test that has its path as a name.
 * Its hooks run before and after its own tests, as they do in a process of its own, so that its
 * servers are gone when the next file starts.
 * @param files paths below the project's folder
 */
export function runInTurn(files: readonly string[]): void {
  for (const file of files) {
    // The runner adds what the file declares to the test that imports it, and waits for it.
    test(file, async () => {
      await import(new URL(`../../${file}`, import.meta.url).href)
    })
  }
}
