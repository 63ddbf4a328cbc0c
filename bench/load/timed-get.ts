import { request } from 'node:http'

/** Times of a response: until the first byte of its body and until its end. */
export type TimedResponse = { firstByteMs: number; completeMs: number; bytes: number }

/** Sends a GET request on a connection of its own and reads the response. @throws if its status is not 200 */
export async function timedGet(url: string, headers: Record<string, string>): Promise<TimedResponse> {
  const startMs = performance.now()
  return await new Promise((resolve, reject) => {
    const get = request(url, { headers, agent: false }, (response) => {
      let firstByteMs: number | undefined
      let bytes = 0
      response.on('data', (data: Buffer) => {
        firstByteMs ??= performance.now() - startMs
        bytes += data.length
      })
      response.once('end', () => {
        const completeMs = performance.now() - startMs
        if (response.statusCode === 200) resolve({ firstByteMs: firstByteMs ?? completeMs, completeMs, bytes })
        else reject(new Error(`${url} was answered ${response.statusCode}`))
      })
    })
    get.once('error', reject)
    get.end()
  })
}
