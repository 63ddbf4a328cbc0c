import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../ui/qr-code.tsx'
import { EmptyState } from '../../ui/titles.tsx'
import { participantTokensQuery, settingsQuery } from '../api/queries.ts'
import { AddressWarning } from '../components/copy-fields.tsx'
import { Loaded } from '../components/feedback.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths, routeIds } from '../components/paths.ts'
import type { ShownAppToken } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { appSetupCode } from './commands.ts'
import './token-sheet.css'

/** Codes that are drawn in one frame. Thousands at once would hold up the page for seconds. */
const CODES_PER_FRAME = 60

/** A sheet of QR codes to print and to cut: one for each participant, with the name below it. */
export function TokenSheetPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const tokens = useQuery(participantTokensQuery(eventId))
  const settings = useQuery(settingsQuery)
  return (
    <Loaded query={settings}>
      {({ base_url }) => (
        <Loaded query={tokens}>
          {(found) => <TokenSheet eventId={eventId} tokens={found.tokens.filter(hasText)} baseUrl={base_url} />}
        </Loaded>
      )}
    </Loaded>
  )
}

type WithText = ShownAppToken & { token: string }

/** A token that was created with another secret cannot be shown. */
function hasText(token: ShownAppToken): token is WithText {
  return token.token !== null
}

function TokenSheet({ eventId, tokens, baseUrl }: { eventId: string; tokens: readonly WithText[]; baseUrl: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [onlyUnused, setOnlyUnused] = useState(false)
  const chosen = onlyUnused ? tokens.filter(({ last_used_at }) => last_used_at === null) : tokens
  const drawn = useDrawnCount(chosen.length)
  const figures = { count: chosen.length, figure: format.count(chosen.length) }
  return (
    <Stack className="token-sheet">
      <Group justify="space-between" align="flex-start" className="unprinted">
        <div>
          <Title order={2}>{t('sheet.title')}</Title>
          <Text c="dimmed" maw={640}>
            {t('sheet.help')}
          </Text>
        </div>
        <Group>
          <ButtonLink
            to={paths.eventTokens}
            params={{ eventId }}
            variant="default"
            leftSection={<ArrowLeft size={16} aria-hidden />}
          >
            {t('event.tokens')}
          </ButtonLink>
          <Button
            leftSection={<Printer size={16} aria-hidden />}
            disabled={drawn < chosen.length || chosen.length === 0}
            onClick={() => print()}
          >
            {t('race.print')}
          </Button>
        </Group>
      </Group>
      <div className="unprinted">
        <AddressWarning address={baseUrl} />
      </div>
      {tokens.length === 0 ? (
        <EmptyState icon={Printer} title={t('participants.empty')}>
          {t('participants.emptyHelp')}
        </EmptyState>
      ) : (
        <>
          <Group className="unprinted">
            <Checkbox
              label={t('sheet.onlyUnused')}
              checked={onlyUnused}
              onChange={({ currentTarget }) => setOnlyUnused(currentTarget.checked)}
            />
            <Text c="dimmed" size="sm" role="status">
              {t('sheet.codes', figures)}
            </Text>
          </Group>
          <ul className="token-sheet-codes" aria-label={t('sheet.title')}>
            {chosen.slice(0, drawn).map((token) => (
              <SheetCode key={token.id} token={token} baseUrl={baseUrl} />
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

function SheetCode({ token, baseUrl }: { token: WithText; baseUrl: string }) {
  const { t } = useTranslation()
  const name = token.label ?? token.user_id ?? ''
  return (
    <li>
      <QrCode text={appSetupCode(baseUrl, token.token)} label={t('sheet.code', { name })} sizePx={180} />
      <strong>{name}</strong>
      {token.label !== null && <span>{token.user_id}</span>}
    </li>
  )
}

/** Returns how many of the codes to draw by now: some more in each frame. */
function useDrawnCount(total: number): number {
  const [count, setCount] = useState(CODES_PER_FRAME)
  useEffect(() => {
    if (count >= total) return
    const frame = requestAnimationFrame(() => setCount(count + CODES_PER_FRAME))
    return () => cancelAnimationFrame(frame)
  }, [count, total])
  return Math.min(count, total)
}
