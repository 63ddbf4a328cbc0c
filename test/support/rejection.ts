/** What a promise is rejected with; undefined when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<Error | undefined> {
  return await promise.then(
    () => undefined,
    (error) => error,
  )
}
