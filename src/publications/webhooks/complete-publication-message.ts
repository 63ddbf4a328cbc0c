import type { MessageDraft } from '#platform/webhooks/sending/deliver.ts'
import type { Addresses } from '../domain/addresses.ts'
import { publicationJson } from '../representations/publication-json.ts'
import type { PublicationDraft } from '../storage/publication-messages.ts'

/** Makes the data of messages about publications: the publication as its owner reads it, as the change left it. */
export function createCompletePublicationMessage({ addresses }: { addresses: Addresses }) {
  return async ({ draft }: MessageDraft): Promise<object> => {
    const { publication, ...details } = draft as PublicationDraft
    return publicationJson(publication, details, addresses)
  }
}
