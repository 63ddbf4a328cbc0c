import { openTrackQueue, type TrackQueue } from '@trackpress/client'
import { indexedDbStorage } from '@trackpress/client/indexeddb-storage'

const element = <Element extends HTMLElement>(id: string) => document.getElementById(id) as Element
const server = element<HTMLInputElement>('server')
const token = element<HTMLInputElement>('token')
const record = element<HTMLButtonElement>('record')
const status = element('state')

let queue: TrackQueue | undefined
let track = localStorage.getItem('track')
let watch: number | undefined

server.value = localStorage.getItem('server') ?? server.value
token.value = localStorage.getItem('token') ?? ''
// After a reload, the page goes on.
if (track !== null) await start()

element('settings').addEventListener('submit', (event) => {
  event.preventDefault()
  void (watch === undefined ? start() : stop())
})

async function openQueue(): Promise<TrackQueue> {
  localStorage.setItem('server', server.value)
  localStorage.setItem('token', token.value)
  // Without it, the browser may delete the queue of a page that is rarely visited.
  await navigator.storage?.persist()
  const opened = openTrackQueue({ baseUrl: server.value, token: token.value, storage: await indexedDbStorage() })
  opened.onState(() => void show())
  opened.start()
  return opened
}

async function start(): Promise<void> {
  queue ??= await openQueue()
  await queue.setToken(token.value)
  track ??= await queue.createTrack({ activity_type: 'walk', title: 'Recorded by a page' })
  localStorage.setItem('track', track)
  watch = navigator.geolocation.watchPosition(store, (error) => show(error.message), { enableHighAccuracy: true })
  record.textContent = 'Finish'
  await show()
}

async function store({ coords, timestamp }: GeolocationPosition): Promise<void> {
  const { latitude, longitude, altitude, accuracy, speed, heading } = coords
  try {
    await queue!.addPoints(track!, [{ latitude, longitude, timestamp, altitude, accuracy, speed_mps: speed, heading }])
  } catch (error) {
    return await show((error as Error).message)
  }
  await show()
}

async function stop(): Promise<void> {
  navigator.geolocation.clearWatch(watch!)
  watch = undefined
  await queue!.finishTrack(track!)
  track = null
  localStorage.removeItem('track')
  record.textContent = 'Start recording'
  await show()
}

async function show(problem = ''): Promise<void> {
  const unsent = (await queue!.tracks()).reduce((sum, one) => sum + one.unsentPoints + one.unsentRequests, 0)
  const texts: Record<string, string> = {
    unauthorized: 'The server does not accept the token. Everything is kept.',
    waiting: 'Waiting for the server. Everything is kept.',
    elsewhere: 'Another tab sends.',
  }
  const sent = unsent === 0 ? 'Everything is sent.' : `${unsent} to send.`
  status.textContent = [watch === undefined ? 'Not recording.' : 'Recording.', sent, texts[queue!.state.state], problem]
    .filter(Boolean)
    .join(' ')
}
