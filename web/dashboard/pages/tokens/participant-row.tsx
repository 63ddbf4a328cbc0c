import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow } from '../../../ui/stacked-table.tsx'
import type { AppToken } from '../../api/events.ts'
import { Ago } from '../../components/ago.tsx'
import { useFormat } from '../../i18n/format.ts'
import { TokenActions } from './token-actions.tsx'

/** The token of one participant, with its last use and its actions. */
export function ParticipantRow({ eventId, token }: { eventId: string; token: AppToken }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <StackedRow>
      <StackedCell head={t('field.name')}>{token.label ?? '–'}</StackedCell>
      <StackedCell head={t('tracks.user')}>{token.user_id}</StackedCell>
      <StackedCell head={t('tokens.lastUsed')}>
        {token.last_used_at === null ? t('tokens.never') : <Ago time={token.last_used_at} />}
      </StackedCell>
      <StackedCell head={t('field.expires')}>
        {token.expires_at === null ? '–' : format.dateTime(token.expires_at)}
      </StackedCell>
      <StackedCell>
        <TokenActions eventId={eventId} token={token} name={token.label ?? token.user_id ?? token.masked} />
      </StackedCell>
    </StackedRow>
  )
}
