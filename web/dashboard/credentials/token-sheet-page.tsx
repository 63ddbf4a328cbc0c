import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft, Info, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runnerPageAddress } from '../../../src/tracks/phones/phone-links.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { EmptyState } from '../../ui/titles.tsx'
import { participantTokensQuery, settingsQuery } from '../api/queries.ts'
import { AddressWarning } from '../components/copy-fields.tsx'
import { Failure, Loaded } from '../components/feedback.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetEventOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Runner, ShownAppToken } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useCreateCodes } from './codes-for-all.tsx'
import { appSetupCode } from './commands.ts'
import {
  isListed,
  type Person,
  personOf,
  runnersById,
  useComparePeople,
  useRunners,
  withoutToken,
} from './person-codes.ts'
import { type PhoneApp, phoneApps } from './phone-apps.ts'
import './token-sheet.css'

/** Codes that are drawn in one frame. Thousands at once would hold up the page for seconds. */
const CODES_PER_FRAME = 60

/** A sheet of codes to print and to cut: one for each participant, by bib, with event, name and what to do. */
export function TokenSheetPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const tokens = useQuery(participantTokensQuery(eventId))
  const settings = useQuery(settingsQuery)
  const runners = useRunners(eventId)
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  return (
    <Loaded query={settings}>
      {({ base_url: baseUrl }) => (
        <Loaded query={event}>
          {({ name: eventName }) => (
            <Loaded query={runners}>
              {(list) => (
                <Loaded query={tokens}>
                  {(found) => <TokenSheet {...{ eventId, eventName, baseUrl }} tokens={found.tokens} runners={list} />}
                </Loaded>
              )}
            </Loaded>
          )}
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

/** Target of the codes on a sheet: the page of each person, one app, or an app of one's own. */
type CodeKind = 'page' | PhoneApp['name'] | 'own'

type TokenSheetProps = {
  eventId: string
  eventName: string
  baseUrl: string
  tokens: readonly ShownAppToken[]
  runners: readonly Runner[]
}

function TokenSheet({ eventId, eventName, baseUrl, tokens, runners }: TokenSheetProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const compare = useComparePeople()
  const [onlyUnused, setOnlyUnused] = useState(false)
  const [hasUnlisted, setUnlisted] = useState(false)
  const [kind, setKind] = useState<CodeKind>('page')
  const byId = runnersById(runners)
  const people = tokens
    .filter(hasText)
    .map((token) => ({ token, person: personOf(token, byId) }))
    .sort((a, b) => compare(a.person, b.person))
  const unlisted = people.filter(({ token }) => !isListed(token, byId)).length
  const chosen = people.filter(
    ({ token }) => (hasUnlisted || isListed(token, byId)) && (!onlyUnused || token.last_used_at === null),
  )
  const drawn = useDrawnCount(chosen.length)
  const missing = withoutToken(runners, tokens)
  const isComplete = drawn >= chosen.length && chosen.length > 0
  const { printButton, onCreated } = useFocusOnPrint(isComplete && missing.length === 0)
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
            to={paths.eventPhones}
            params={{ eventId }}
            variant="default"
            leftSection={<ArrowLeft size={16} aria-hidden />}
          >
            {t('event.phones')}
          </ButtonLink>
          <Button
            leftSection={<Printer size={16} aria-hidden />}
            ref={printButton}
            disabled={!isComplete}
            onClick={() => print()}
          >
            {t('race.print')}
          </Button>
        </Group>
      </Group>
      <div className="unprinted">
        <AddressWarning address={baseUrl} users="phones" />
      </div>
      {missing.length > 0 && <MissingCodes {...{ eventId, missing, onCreated }} />}
      {people.length === 0 ? (
        missing.length === 0 && <NoCodes eventId={eventId} />
      ) : (
        <>
          <Group className="unprinted" align="flex-end">
            <NativeSelect
              label={t('sheet.opens')}
              value={kind}
              onChange={({ currentTarget }) => setKind(currentTarget.value as CodeKind)}
              data={[
                { value: 'page', label: t('sheet.opensPage') },
                ...phoneApps('', '', true).map(({ name, title }) => ({ value: name, label: title })),
                { value: 'own', label: t('sheet.opensOwn') },
              ]}
            />
            <Checkbox
              label={t('sheet.onlyUnused')}
              checked={onlyUnused}
              onChange={({ currentTarget }) => setOnlyUnused(currentTarget.checked)}
            />
            {unlisted > 0 && (
              <Checkbox
                label={t('sheet.unlisted', { count: unlisted, figure: format.count(unlisted) })}
                checked={hasUnlisted}
                onChange={({ currentTarget }) => setUnlisted(currentTarget.checked)}
              />
            )}
            <Text c="dimmed" size="sm" role="status">
              {t('steps.phones.codes', { count: chosen.length, figure: format.count(chosen.length) })}
            </Text>
          </Group>
          <ul className="token-sheet-codes" aria-label={t('sheet.title')}>
            {chosen.slice(0, drawn).map(({ token, person }) => (
              <SheetCode key={token.id} code={codeOf(kind, baseUrl, token.token)} {...{ eventName, person }} />
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

function NoCodes({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const toList = (
    <ButtonLink to={paths.eventParticipants} params={{ eventId }}>
      {t('codes.toList')}
    </ButtonLink>
  )
  return (
    <EmptyState icon={Printer} title={t('codes.none')} action={toList}>
      {t('codes.noList')}
    </EmptyState>
  )
}

/** Moves the focus to the button that prints once new codes are drawn: the button that made them is gone. */
function useFocusOnPrint(isReady: boolean) {
  const printButton = useRef<HTMLButtonElement>(null)
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    if (!isNew || !isReady) return
    setNew(false)
    if (document.activeElement === document.body) printButton.current?.focus()
  }, [isNew, isReady])
  return { printButton, onCreated: () => setNew(true) }
}

type MissingCodesProps = { eventId: string; missing: readonly Runner[]; onCreated(): void }

/** Offers to make codes for runners of the start list who have none. */
function MissingCodes({ eventId, missing, onCreated }: MissingCodesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creating = useCreateCodes(eventId, onCreated)
  return (
    <Alert className="unprinted" icon={<Info aria-hidden />} maw={760}>
      <Group justify="space-between">
        <Text size="sm">{t('codes.missing', { count: missing.length, figure: format.count(missing.length) })}</Text>
        <Button size="xs" loading={creating.isPending} onClick={() => creating.mutate(missing)}>
          {t('codes.createMissing')}
        </Button>
      </Group>
      {creating.isError && <Failure error={creating.error} />}
    </Alert>
  )
}

/** The content of a code, and the app that it is for; undefined for the page with all apps. */
type Code = { text: string; app: string | undefined; isAddress: boolean }

function codeOf(kind: CodeKind, baseUrl: string, token: string): Code {
  if (kind === 'own') return { text: appSetupCode(baseUrl, token), app: '', isAddress: false }
  const app = phoneApps(baseUrl, token, true).find(({ name }) => name === kind)
  if (app === undefined) return { text: runnerPageAddress(baseUrl, token), app: undefined, isAddress: false }
  return { text: app.qrText, app: app.title, isAddress: app.qrText === app.address }
}

type SheetCodeProps = { code: Code; eventName: string; person: Person }

function SheetCode({ code: { text, app, isAddress }, eventName, person }: SheetCodeProps) {
  const { t } = useTranslation()
  const { bib, name } = person
  return (
    <li>
      <span className="token-sheet-event">{eventName}</span>
      <QrCode text={text} label={t('sheet.code', { name })} sizePx={180} />
      {bib !== null && bib !== name && <strong className="token-sheet-bib">{bib}</strong>}
      <strong>{name}</strong>
      <span>{sentence()}</span>
    </li>
  )

  function sentence(): string {
    if (app === undefined) return t('sheet.scan')
    if (app === '') return t('sheet.scanOwn')
    return t(isAddress ? 'sheet.scanAddress' : 'sheet.scanApp', { app })
  }
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
