import { Badge, Code, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow } from '../../../ui/stacked-table.tsx'
import type { AppToken } from '../../api/events.ts'
import { Ago } from '../../components/ago.tsx'
import { useFormat } from '../../i18n/format.ts'
import { TokenActions } from './token-actions.tsx'

type TokenRowProps = { eventId: string; token: AppToken; isOnly: boolean }

/** One token of an event, with its permissions, its last use and its actions. */
export function TokenRow({ eventId, token, isOnly }: TokenRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <StackedRow>
      <StackedCell head={t('token.token')}>
        <Code>{token.masked}</Code>
      </StackedCell>
      <StackedCell head={t('tokens.label')}>{token.label ?? (token.is_first ? t('tokens.first') : '–')}</StackedCell>
      <StackedCell head={t('tokens.permissions')}>
        <Group gap={4}>
          {token.permissions.map((permission) => (
            <Badge key={permission} variant="default" tt="none">
              {t(`tokens.permission.${permission}`)}
            </Badge>
          ))}
        </Group>
      </StackedCell>
      <StackedCell head={t('field.created')}>{format.date(token.created_at)}</StackedCell>
      <StackedCell head={t('tokens.lastUsed')}>
        {token.last_used_at === null ? t('tokens.never') : <Ago time={token.last_used_at} />}
      </StackedCell>
      <StackedCell head={t('field.expires')}>
        {token.expires_at === null ? '–' : format.dateTime(token.expires_at)}
      </StackedCell>
      <StackedCell>
        <TokenActions eventId={eventId} token={token} name={token.label ?? token.masked} isOnly={isOnly} />
      </StackedCell>
    </StackedRow>
  )
}
