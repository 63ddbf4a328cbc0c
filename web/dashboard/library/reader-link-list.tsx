import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readerLinksAddress } from '../api/addresses.ts'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { useAction } from '../components/feedback.tsx'
import { SubmitForm } from '../components/forms.tsx'
import { DownloadButton, RowButton } from '../components/lists.tsx'
import { operatorRevokeReaderLink, operatorUpdateReaderLink } from '../generated/sdk.gen.ts'
import type { ListedReaderLink, OperatorPublication } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { inputOf, MIN_PASSWORD_LENGTH, momentIn, PasswordFields, TimeInput } from './publication-visibility.tsx'

type LinkListProps = { links: ListedReaderLink[]; publication: OperatorPublication; onChange(): Promise<void> }

/** The links of a publication with their figures: changed, exported and revoked. */
export function LinkList({ links, publication, onChange }: LinkListProps) {
  const { t } = useTranslation()
  const [revoking, revoke] = useState<ListedReaderLink>()
  const [changing, change] = useState<ListedReaderLink>()
  const nameOf = ({ name, preview }: ListedReaderLink) => name ?? t(preview ? 'links.preview' : 'links.unnamed')
  const { id, access } = publication
  if (links.length === 0)
    return <Text size="sm">{t(access === 'restricted' ? 'links.noneRestricted' : 'links.none')}</Text>
  return (
    <>
      <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('links.title')}>
        {links.map((link) => (
          <Group component="li" key={link.id} justify="space-between" gap="xs">
            <div style={{ flex: '1 1 260px', minWidth: 0 }}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {nameOf(link)}
              </Text>
              <LinkFacts link={link} />
              {!link.preview && <LinkFigures figures={link.figures} />}
            </div>
            <Group gap="xs" wrap="nowrap">
              <RowButton aria-label={t('links.changeThis', { name: nameOf(link) })} onClick={() => change(link)}>
                {t('links.change')}
              </RowButton>
              <RowButton aria-label={t('links.revokeThis', { name: nameOf(link) })} onClick={() => revoke(link)}>
                {t('links.revoke')}
              </RowButton>
            </Group>
          </Group>
        ))}
      </Stack>
      <Group>
        <DownloadButton href={readerLinksAddress(id)} variant="subtle" size="compact-sm">
          {t('links.export')}
        </DownloadButton>
      </Group>
      {changing !== undefined && (
        <Dialog
          opened
          onClose={() => change(undefined)}
          title={t('links.changeThis', { name: nameOf(changing) })}
          size="lg"
        >
          <LinkForm publicationId={id} link={changing} onClose={() => change(undefined)} onSaved={onChange} />
        </Dialog>
      )}
      {revoking !== undefined && (
        <ConfirmDialog
          onClose={() => revoke(undefined)}
          action={() => operatorRevokeReaderLink({ path: { id, linkId: revoking.id } })}
          doneMessage={t('links.revoked')}
          onDone={onChange}
          title={t('links.revokeThis', { name: nameOf(revoking) })}
          confirmLabel={t('links.revoke')}
        >
          {t('links.revokeHelp')}
        </ConfirmDialog>
      )}
    </>
  )
}

const FILE_CHOICES = { '': null, yes: true, no: false } as const
type FileChoice = keyof typeof FILE_CHOICES

type LinkFormProps = {
  publicationId: string
  link: ListedReaderLink
  onClose(): void
  onSaved(): Promise<void>
}

function LinkForm({ publicationId, link, onClose, onSaved }: LinkFormProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(link.name ?? '')
  const [until, setUntil] = useState(() => inputOf(link.expires_at))
  const [file, setFile] = useState<FileChoice>(link.allow_download === null ? '' : link.allow_download ? 'yes' : 'no')
  /** Null to ask for none any more; empty to keep the present one. */
  const [password, setPassword] = useState<string | null>('')
  const [isTried, setTried] = useState(false)
  const isShort = password !== null && password !== '' && password.length < MIN_PASSWORD_LENGTH
  const saving = useAction({
    action: () =>
      operatorUpdateReaderLink({
        path: { id: publicationId, linkId: link.id },
        body: {
          name: name.trim() || null,
          expires_at: momentIn(until, link.expires_at),
          allow_download: FILE_CHOICES[file],
          ...(password !== '' && { password }),
        },
      }),
    onSuccess: onClose,
    doneMessage: t('action.saved'),
    onDone: onSaved,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isShort) saving.mutate()
  }
  return (
    <SubmitForm onSubmit={submit} submitting={saving} submitLabel={t('action.save')} onCancel={onClose}>
      <TextInput
        label={t('links.name')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TimeInput label={t('links.until')} value={until} onChange={setUntil} />
      <PasswordFields
        hasPassword={link.has_password}
        help={t('links.passwordHelp')}
        value={password}
        error={isTried && isShort && t('visibility.passwordShort')}
        onChange={setPassword}
      />
      {!link.preview && (
        <NativeSelect
          label={t('links.file')}
          value={file}
          onChange={({ currentTarget }) => setFile(currentTarget.value as FileChoice)}
          data={[
            { value: '', label: t('links.fileAsPublication') },
            { value: 'yes', label: t('links.withFile') },
            { value: 'no', label: t('links.withoutFile') },
          ]}
        />
      )}
    </SubmitForm>
  )
}

function LinkFacts({ link }: { link: ListedReaderLink }) {
  const { preview, name, created_at, expires_at, has_password, allow_download } = link
  const { t } = useTranslation()
  const format = useFormat()
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const facts = [
    preview && name !== null && t('links.preview'),
    t('links.createdOn', { time: format.dateTime(created_at) }),
    has_password && t('links.hasPassword'),
    allow_download !== null && t(allow_download ? 'links.withFile' : 'links.withoutFile'),
    expires_at !== null && t(isOver ? 'links.endedOn' : 'links.endsOn', { time: format.dateTime(expires_at) }),
  ].filter((fact) => fact !== false)
  return (
    <Text size="xs" c="dimmed">
      {facts.join(' · ')}
    </Text>
  )
}

function LinkFigures({ figures }: { figures: ListedReaderLink['figures'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { views, readers, pages, seconds, downloads, last_seen } = figures
  if (last_seen === null)
    return (
      <Text size="xs" c="dimmed">
        {t('links.unopened')}
      </Text>
    )
  const entries = [
    t('publication.views', { count: views, figure: format.count(views) }),
    t('figures.readersCount', { count: readers, figure: format.count(readers) }),
    t('links.pages', { count: pages, figure: format.count(pages) }),
    seconds > 0 && format.span(seconds),
    downloads > 0 && t('links.downloads', { count: downloads, figure: format.count(downloads) }),
    t('links.lastSeen', { day: format.date(`${last_seen}T12:00:00`) }),
  ].filter((entry) => entry !== false)
  return (
    <Text size="xs" className="figures">
      {entries.join(' · ')}
    </Text>
  )
}
