import type { HttpServer } from '#platform/http/http-server.ts'
import { describeApi } from '#platform/http/reference/api-description.ts'
import { operatorProblemMembers, operatorSecurity, operatorTags } from './operator/tags.ts'
import { publicationsOperatorTags, publicationsProblemMembers, publicationsTags } from './publications/tags.ts'
import type { Config } from './start-services.ts'
import { tracksProblemMembers, tracksTags } from './tracks/tags.ts'

/** Parts of the API with a document of their own: one for each service, and one for the dashboard's endpoints. */
const API_PARTS = [
  {
    service: 'tracks',
    name: 'tracks',
    title: 'Trackpress: track recording',
    description: 'Records GPS tracks: a phone creates a track, sends its points, finishes it and reads its statistics.',
    tags: ['Tracks', 'Points', 'Phones', 'Webhooks'],
  },
  {
    service: 'publications',
    name: 'publications',
    title: 'Trackpress: publication',
    description: 'Publishes PDFs: a signed upload, a publication with a slug, page images and a public page.',
    tags: ['Uploads', 'Publications', 'Publication webhooks'],
  },
  {
    service: 'dashboard',
    name: 'dashboard',
    title: 'Trackpress: dashboard',
    description: 'The endpoints that the dashboard uses, and those of share links. They change with the dashboard.',
    tags: [
      ...tracksTags
        .map(({ name }) => name)
        .filter((name) => !['Tracks', 'Points', 'Phones', 'Webhooks'].includes(name)),
      ...operatorTags.map(({ name }) => name),
      ...publicationsOperatorTags.map(({ name }) => name),
    ],
  },
] as const

/** Contents of the description. Functions return what is known only once the server listens and has its routes. */
type Described = {
  version: string
  services: Config['platform']['services']
  base: () => string
  webhooks: () => Record<string, object>
}

/** Describes the API of the services that run here. Their routes must be added afterwards. */
export async function describeServices(
  app: HttpServer,
  { version, services, base, webhooks }: Described,
): Promise<void> {
  await describeApi(app, {
    title: 'Trackpress',
    version,
    description:
      'Recording of GPS tracks: what a phone sends, kept and summed up. Publication of PDFs: from a signed upload to ' +
      'page images and a public page.',
    baseUrl: base,
    webhooks,
    tags: [
      ...(services.includes('tracks') ? tracksTags : []),
      ...(services.includes('publications') ? publicationsTags : []),
      ...(services.includes('dashboard') ? operatorTags : []),
      ...(services.includes('dashboard') && services.includes('publications') ? publicationsOperatorTags : []),
    ],
    parts: API_PARTS.filter(({ service }) => services.includes(service)),
    problemMembers: {
      ...(services.includes('tracks') ? tracksProblemMembers : {}),
      ...(services.includes('publications') ? publicationsProblemMembers : {}),
      ...(services.includes('dashboard') ? operatorProblemMembers : {}),
    },
    securitySchemes: services.includes('dashboard') ? operatorSecurity : {},
  })
}
