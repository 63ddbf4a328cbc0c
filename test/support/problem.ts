import assert from 'node:assert/strict'

/** An error response: RFC 9457 problem details. */
export type Problem = {
  type: string
  title: string
  status: number
  code: string
  detail: string
  request_id: string
  errors?: { path: string; message: string }[]
  track_id?: string
  tracks_count?: number
  reason?: string
}

/** Checks the status, code and form of an error response. @returns its problem */
export async function readProblem(response: Response, status: number, code: string): Promise<Problem> {
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const problem = JSON.parse(text) as Problem
  assert.equal(problem.status, status)
  assert.equal(problem.code, code)
  for (const member of ['type', 'title', 'detail', 'request_id'] as const)
    assert.equal(typeof problem[member], 'string')
  assert.equal(problem.request_id, response.headers.get('x-request-id'))
  return problem
}

/** Returns the fields that a 400 names, sorted, each once. */
export async function wrongPlaces(response: Response): Promise<string[]> {
  const { errors } = await readProblem(response, 400, 'BAD_REQUEST')
  return [...new Set((errors ?? []).map(({ path }) => path))].sort()
}
