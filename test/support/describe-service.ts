import { after, describe, test } from 'node:test'
import { databases, type TestDatabase } from './databases.ts'
import { type ServiceOptions, type StartedPublications, type StartedTracks, startService } from './start-service.ts'
import { type TrackRequests, trackRequests } from './track-requests.ts'

type Options = Omit<ServiceOptions, 'services' | 'signedIn'> & {
  /** Signs an operator in, as for `startService`. */
  signedIn?: boolean
  /** The engines to run the suite on; all by default. */
  on?: readonly TestDatabase[]
}

/** The service that was started for a suite on this engine, and what its tests need. */
type Given<Service> = {
  service: Service
  database: TestDatabase
  /** Requests with the first app token of the service. */
  tracks: TrackRequests
  /** Declares a test on the first engine only. */
  once: typeof test
}

type Suite<Service> = (given: Given<Service>) => Promise<void>

/** Declares a suite for each engine, which its name ends with. `once` declares a test on the first engine only. */
export function describeOn(
  engines: readonly TestDatabase[],
  subject: string,
  suite: (database: TestDatabase, once: typeof test) => Promise<void> | void,
): void {
  for (const database of engines) describe(`${subject} on ${database.name}`, () => suite(database, onceFor(database)))
}

/**
 * Returns `test` for the first engine, and a function that declares nothing for the others: for a test whose queries
 * are sent by other tests on all engines, and which is about what no engine changes.
 */
function onceFor(database: TestDatabase): typeof test {
  return database === databases[0] ? test : ((() => Promise.resolve()) as unknown as typeof test)
}

/** Declares a suite for each engine, with track recording alone. */
export const describeTracks = suitesOf<StartedTracks>('tracks')

/** Declares a suite for each engine, with publication alone. */
export const describePublications = suitesOf<StartedPublications>('publications')

function suitesOf<Service extends StartedTracks | StartedPublications>(name: 'tracks' | 'publications') {
  return (subject: string, ...rest: [Suite<Service>] | [Options, Suite<Service>]): void => {
    const [{ on = databases, ...options }, suite] = rest.length === 1 ? [{} as Options, rest[0]] : rest
    describeOn(on, subject, async (database, once) => {
      const service = await startService({ after }, database, { ...options, services: [name] })
      const tracks = trackRequests(service.request)
      await suite({ service: service as unknown as Service, database, tracks, once })
    })
  }
}
