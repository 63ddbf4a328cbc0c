import assert from 'node:assert/strict'

/** Requires a status of a response. @returns its JSON */
export async function answered<Body>(status: number, response: Response | Promise<Response>): Promise<Body> {
  const text = await (await response).text()
  assert.equal((await response).status, status, text)
  return JSON.parse(text) as Body
}
