import { after, describe } from 'node:test'
import { databases, type TestDatabase } from './databases.ts'
import { type ServiceOptions, type StartedPublications, type StartedTracks, startService } from './start-service.ts'
import { type TrackRequests, trackRequests } from './track-requests.ts'

type Options = Omit<ServiceOptions, 'services' | 'signedIn'> & {
  /** Signs an operator in, as for `startService`. */
  signedIn?: boolean
  /** The engines to run the suite on; all by default. */
  on?: readonly TestDatabase[]
}

/** Declares the tests of a suite on the service that was started for it on this engine. */
type Suite<Service> = (given: { service: Service; database: TestDatabase; tracks: TrackRequests }) => Promise<void>

/** Declares a suite for each engine, which its name ends with. */
export function describeOn(
  engines: readonly TestDatabase[],
  subject: string,
  suite: (database: TestDatabase) => Promise<void> | void,
): void {
  for (const database of engines) describe(`${subject} on ${database.name}`, () => suite(database))
}

/** Declares a suite for each engine, with track recording alone; `tracks` sends requests with its app token. */
export const describeTracks = suitesOf<StartedTracks>('tracks')

/** Declares a suite for each engine, with publication alone. */
export const describePublications = suitesOf<StartedPublications>('publications')

function suitesOf<Service extends StartedTracks | StartedPublications>(name: 'tracks' | 'publications') {
  return (subject: string, ...rest: [Suite<Service>] | [Options, Suite<Service>]): void => {
    const [{ on = databases, ...options }, suite] = rest.length === 1 ? [{} as Options, rest[0]] : rest
    describeOn(on, subject, async (database) => {
      const service = await startService({ after }, database, { ...options, services: [name] })
      await suite({ service: service as unknown as Service, database, tracks: trackRequests(service.request) })
    })
  }
}
