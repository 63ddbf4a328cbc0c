import { Button, Checkbox, Group, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, notify } from '../components/feedback.tsx'
import { Panel } from '../components/panel.tsx'
import {
  operatorGetPublicationOptions,
  operatorListPublicationsQueryKey,
  operatorListReaderLinksOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import {
  operatorPublishPublication,
  operatorUnpublishPublication,
  operatorUpdatePublication,
} from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { momentOf, wallTimeOf } from '../i18n/time-zone.ts'
import { ACCESSES } from './library-search.ts'

export const MIN_PASSWORD_LENGTH = 8

/** Says who can read a publication, and changes who may, when, and whether it is published at all. */
export function PublicationVisibility({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isUnpublishing, setUnpublishing] = useState(false)
  const { id, title, workspace, visibility } = publication
  const isOut = visibility !== 'draft' && visibility !== 'unpublished'
  const show = async (changed: OperatorPublication, text: string) => {
    client.setQueryData(operatorGetPublicationOptions({ path: { id } }).queryKey, changed)
    notify(text)
    await client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspace.id } }) })
  }
  return (
    <Panel title={t('visibility.title')}>
      <VisibilityFacts publication={publication} />
      <RulesForm publication={publication} isOut={isOut} onSaved={show} onUnpublish={() => setUnpublishing(true)} />
      <ConfirmDialog
        opened={isUnpublishing}
        onClose={() => setUnpublishing(false)}
        action={() => operatorUnpublishPublication({ path: { id } })}
        onDone={(changed) => show(changed, t('visibility.unpublished', { title }))}
        title={t('visibility.unpublishThis', { title })}
        confirmLabel={t('visibility.unpublish')}
      >
        {t('visibility.unpublishHelp')}
      </ConfirmDialog>
    </Panel>
  )
}

/** Says in plain words who can read a publication now, and the changes that the clock will bring. */
export function VisibilityFacts({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, access, visibility, publish_at, expires_at, has_password, allow_download } = publication
  const count = useQuery({
    ...operatorListReaderLinksOptions({ path: { id } }),
    enabled: access === 'restricted',
    select: ({ links }) => links.filter(({ preview, expires_at: end }) => !preview && isAhead(end)).length,
  }).data
  const time = (moment: string | null) => (moment === null ? '' : format.dateTime(moment))
  const linked = count === 0 ? t('visibility.isNoLink') : count !== undefined && t('visibility.isLinked', { count })
  const circle = access === 'restricted' ? linked : t(has_password ? 'visibility.isOpenToPassword' : CIRCLES[access])
  const facts = {
    draft: [t('visibility.isDraft')],
    unpublished: [t('visibility.isUnpublished')],
    scheduled: [t('visibility.isScheduled', { time: time(publish_at) }), t('visibility.isThen'), circle],
    expired: [t('visibility.isExpired', { time: time(expires_at) })],
    visible: [circle],
  }[visibility]
  const isOpening = visibility === 'visible' || visibility === 'scheduled'
  const more = [
    isOpening && expires_at !== null && t('visibility.isUntil', { time: time(expires_at) }),
    isOpening && !allow_download && t('visibility.isWithoutFile'),
  ]
  return (
    <Text size="sm" fw={600} role="status">
      {[...facts, ...more].filter(Boolean).join(' ')}
    </Text>
  )
}

const CIRCLES = { public: 'visibility.isPublic', unlisted: 'visibility.isUnlisted' } as const

function isAhead(moment: string | null): boolean {
  return moment === null || Date.parse(moment) > Date.now()
}

type RulesFormProps = {
  publication: OperatorPublication
  isOut: boolean
  onSaved(changed: OperatorPublication, text: string): Promise<void>
  onUnpublish(): void
}

/** The rules of a publication. They are applied together, and publish it if it is not. */
function RulesForm({ publication, isOut, onSaved, onUnpublish }: RulesFormProps) {
  const { t } = useTranslation()
  const { id, title, visibility } = publication
  const [access, setAccess] = useState(publication.access)
  const [allow_download, setAllowDownload] = useState(publication.allow_download)
  /** Null to ask for none any more; empty to keep the present one. */
  const [password, setPassword] = useState<string | null>('')
  const [isTried, setTried] = useState(false)
  const isShort = password !== null && password !== '' && password.length < MIN_PASSWORD_LENGTH
  const [from, setFrom] = useState(() => inputOf(publication.publish_at))
  const [until, setUntil] = useState(() => inputOf(publication.expires_at))
  const publish_at = momentIn(from, publication.publish_at)
  const expires_at = momentIn(until, publication.expires_at)
  const isReversed = publish_at !== null && expires_at !== null && Date.parse(expires_at) <= Date.parse(publish_at)
  const saving = useMutation({
    mutationFn: async (isPublishing: boolean) => {
      const changed = await operatorUpdatePublication({
        path: { id },
        body: {
          access,
          allow_download,
          publish_at,
          expires_at,
          ...(password !== '' && { password }),
        },
      })
      return isPublishing ? await operatorPublishPublication({ path: { id } }) : changed
    },
    onSuccess: (changed, isPublishing) => {
      setPassword('')
      const published = visibility === 'draft' ? 'visibility.publishedDraft' : 'visibility.published'
      return onSaved(changed, isPublishing ? t(published, { title }) : t('action.saved'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isReversed && !isShort) saving.mutate(!isOut)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack mt="md">
        <AccessChoice access={access} onChange={setAccess} />
        <Group grow align="flex-start">
          <TimeInput label={t('visibility.from')} value={from} onChange={setFrom} />
          <TimeInput
            label={t('visibility.until')}
            error={isReversed && t('visibility.untilWrong')}
            value={until}
            onChange={setUntil}
          />
        </Group>
        <PasswordFields
          hasPassword={publication.has_password}
          value={password}
          error={isTried && isShort && t('visibility.passwordShort')}
          onChange={setPassword}
        />
        <Checkbox
          label={t('visibility.allowDownload')}
          description={t('visibility.allowDownloadHelp')}
          checked={allow_download}
          onChange={({ currentTarget }) => setAllowDownload(currentTarget.checked)}
        />
        {saving.isError && <Failure error={saving.error} />}
        <Group justify="flex-end">
          {isOut ? (
            <Button variant="default" onClick={onUnpublish}>
              {t('visibility.unpublishOpen')}
            </Button>
          ) : (
            <Button
              variant="default"
              disabled={isReversed || isShort || saving.isPending}
              onClick={() => saving.mutate(false)}
            >
              {t('visibility.saveOnly')}
            </Button>
          )}
          <Button type="submit" loading={saving.isPending}>
            {t(isOut ? 'visibility.apply' : visibility === 'draft' ? 'visibility.publishDraft' : 'visibility.publish')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type AccessChoiceProps = {
  access: OperatorPublication['access']
  onChange(access: OperatorPublication['access']): void
}

function AccessChoice({ access, onChange }: AccessChoiceProps) {
  const { t } = useTranslation()
  return (
    <Radio.Group
      label={t('visibility.access')}
      description={t('visibility.accessHelp')}
      value={access}
      onChange={(value) => onChange(ACCESSES.find((one) => one === value) ?? access)}
    >
      <Stack gap="xs" mt="xs">
        {ACCESSES.map((one) => (
          <Radio key={one} value={one} label={t(`publication.${one}`)} description={t(`visibility.${one}Help`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

type TimeInputProps = { label: string; error?: string | false; value: string; onChange(value: string): void }

/** A date and a time of this browser's zone; empty for none. */
export function TimeInput({ label, error, value, onChange }: TimeInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={t('event.timesIn', { zone: format.zoneName(Date.now()) })}
      error={error}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

type PasswordFieldsProps = {
  /** The help of a publication's password by default. */
  help?: string
  hasPassword: boolean
  value: string | null
  error: string | false
  onChange(password: string | null): void
}

/** A password that is never shown: another one, or none. */
export function PasswordFields({ hasPassword, help, value, error, onChange }: PasswordFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <PasswordInput
        label={t(hasPassword ? 'visibility.otherPassword' : 'visibility.password')}
        description={help ?? t('visibility.passwordHelp')}
        error={error}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        autoComplete="new-password"
        maxLength={200}
        disabled={value === null}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hasPassword && (
        <Checkbox
          label={t('visibility.noPassword')}
          checked={value === null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : '')}
        />
      )}
    </>
  )
}

/** Returns a moment as the value of an input; empty without one. */
export function inputOf(moment: string | null): string {
  return moment === null ? '' : wallTimeOf(Date.parse(moment), undefined).slice(0, 16)
}

/** Returns the moment that an input shows; the stored one, to the millisecond, if nobody has changed it. */
export function momentIn(input: string, stored: string | null): string | null {
  if (input === inputOf(stored)) return stored
  const timeMs = momentOf(input, undefined)
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString()
}
