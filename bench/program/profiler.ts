import type { StepProfile } from './profile-steps.ts'

type Message = {
  id?: number
  method?: string
  params?: { sessionId: string; message: string; workerInfo: { title: string; url: string } }
  result?: { profile: StepProfile; usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number }
  error?: { message: string }
}
type Send = (method: string, params?: object) => Promise<Message>
type Conversation = { send: Send; receive(message: Message): void }

const SAMPLE_EVERY_US = 250
const WRITER = /SQLite writer|sqlite-writer/

/** Profiles of the main thread and, if the program has one, of its SQLite writer. */
export type Profiles = { main: StepProfile; writer: StepProfile | undefined }

/**
 * Records processor profiles of a program that was started with an inspector on a port, while work is done.
 * @see https://chromedevtools.github.io/devtools-protocol/v8/Profiler/
 */
export async function profileDuring(port: number, work: () => Promise<unknown>): Promise<Profiles> {
  const socket = await reachInspector(port)
  const main = conversation((text) => socket.send(text))
  const writers = new Map<string, Conversation>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method === 'NodeWorker.attachedToWorker') {
      const { sessionId, workerInfo } = message.params!
      if (WRITER.test(`${workerInfo.title} ${workerInfo.url}`)) writers.set(sessionId, talkTo(socket, sessionId))
    } else if (message.method === 'NodeWorker.receivedMessageFromWorker') {
      writers.get(message.params!.sessionId)?.receive(JSON.parse(message.params!.message) as Message)
    } else main.receive(message)
  })
  // The answer comes after the events about all threads that are running.
  await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  const threads = [main, ...writers.values()]
  await Promise.all(threads.map(({ send }) => startProfile(send)))
  await work()
  const profiles = await Promise.all(threads.map(async ({ send }) => (await send('Profiler.stop')).result!.profile))
  socket.close()
  // A service whose writer has nothing to do has hardly a call in its profile.
  const [writer] = profiles.slice(1).sort((one, other) => other.nodes.length - one.nodes.length)
  return { main: profiles[0], writer }
}

/**
 * Returns the memory of the objects of a program that was started with an inspector on a port, after a collection of
 * garbage, in bytes: those of JavaScript, and those outside that they hold.
 * @see https://chromedevtools.github.io/devtools-protocol/v8/Runtime/#method-getHeapUsage
 */
export async function objectBytes(port: number): Promise<number> {
  const socket = await reachInspector(port)
  const { send, receive } = conversation((text) => socket.send(text))
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as Message))
  await send('HeapProfiler.enable')
  // What the first collection lets go of is freed by the second.
  for (let i = 0; i < 2; i++) await send('HeapProfiler.collectGarbage')
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = (await send('Runtime.getHeapUsage')).result!
  socket.close()
  return usedSize + embedderHeapUsedSize + backingStorageSize
}

async function reachInspector(port: number): Promise<WebSocket> {
  const [{ webSocketDebuggerUrl }] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('The inspector cannot be reached')), { once: true })
  })
  return socket
}

function talkTo(socket: WebSocket, sessionId: string): Conversation {
  return conversation((message) => {
    socket.send(JSON.stringify({ id: 0, method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } }))
  })
}

async function startProfile(send: Send): Promise<void> {
  await send('Profiler.enable')
  await send('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US })
  await send('Profiler.start')
}

/** Matches answers with questions. */
function conversation(post: (text: string) => void): Conversation {
  let lastId = 0
  const waiting = new Map<number, PromiseWithResolvers<Message>>()
  return {
    send(method, params = {}) {
      const answered = Promise.withResolvers<Message>()
      waiting.set(++lastId, answered)
      post(JSON.stringify({ id: lastId, method, params }))
      return answered.promise
    },
    receive(message) {
      const answered = waiting.get(message.id ?? -1)
      if (message.error === undefined) answered?.resolve(message)
      else answered?.reject(new Error(message.error.message))
    },
  }
}
