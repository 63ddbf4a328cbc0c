/** Lets requests of a loader run on; the query cache holds their answers and failures for the page. */
export function start(...requests: Promise<unknown>[]): void {
  void Promise.allSettled(requests)
}
