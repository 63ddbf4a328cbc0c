import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ShownAppToken, shownTokenQuery } from '../api/events.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { FormAlert } from '../forms/form-alert.tsx'

type PlainTokenProps = {
  eventId: string
  tokenId: string
  children(token: ShownAppToken & { token: string }): ReactNode
}

/** Fetches a token in plain text, which not all have. */
export function PlainToken({ eventId, tokenId, children }: PlainTokenProps) {
  const { t } = useTranslation()
  const query = useQuery(shownTokenQuery(eventId, tokenId))
  return (
    <Loaded query={query}>
      {(shown) =>
        shown.token === null ? (
          <FormAlert>{t('tokens.cannotShow')}</FormAlert>
        ) : (
          children({ ...shown, token: shown.token })
        )
      }
    </Loaded>
  )
}
