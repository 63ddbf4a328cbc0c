import assert from 'node:assert/strict'

/** The JSON of an answer, which has to have this status. */
export async function answered<Body>(status: number, response: Response | Promise<Response>): Promise<Body> {
  const text = await (await response).text()
  assert.equal((await response).status, status, text)
  return JSON.parse(text) as Body
}
