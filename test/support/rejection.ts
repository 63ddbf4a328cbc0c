/** Returns the reason of a rejected promise; undefined if it is fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<Error | undefined> {
  return await promise.then(
    () => undefined,
    (error) => error,
  )
}
