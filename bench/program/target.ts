/** A server to measure: its address, its credentials and its process. */
export type Target = {
  name: string
  url: string
  token: string
  apiKey: string
  /** Token of the first sign-in link; undefined if the server printed none. */
  signInToken: string | undefined
  /** The id of the first event. */
  eventId: string
  pid: number
  stop(): Promise<void>
}

/** Creates a track and returns its id. */
export async function createTrack(target: Target, deviceTrackId: string): Promise<string> {
  const answer = await fetch(`${target.url}/tracks`, {
    method: 'POST',
    headers: { 'X-API-Key': target.token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ device_track_id: deviceTrackId, start_ts: '2026-05-03T06:00:00Z' }),
  })
  if (answer.status !== 201) throw new Error(`${target.name} did not create the track: ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

/** Creates `count` tracks, named after `purpose`. */
export async function createTracks(target: Target, purpose: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 32) {
    const names = Array.from({ length: Math.min(32, count - i) }, (_, k) => `${purpose} ${i + k}`)
    ids.push(...(await Promise.all(names.map((name) => createTrack(target, name)))))
  }
  return ids
}
