import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { erasuresQuery } from '../api/queries.ts'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { AnchorLink } from '../components/links.tsx'
import { MoreButton, usePages } from '../components/lists.tsx'
import { paths } from '../components/paths.ts'
import { operatorListErasuresQueryKey, operatorListEventsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateErasure, operatorGetErasurePreview } from '../generated/sdk.gen.ts'
import type { ErasurePreview, ErasureReceipt, ErasureRequest } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { ErasedData, useErasurePlace } from './erased-data.tsx'

/** Erases the data of people, and lists the receipts of all erasures. */
export function ErasuresPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const receipts = useInfiniteQuery(erasuresQuery)
  const { rows } = usePages(receipts, ({ erasures }) => erasures)
  const [isErasing, setErasing] = useState(false)
  const close = () => setErasing(false)
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('erasures.title')} />
        <Button color="red" leftSection={<Eraser size={16} aria-hidden />} onClick={() => setErasing(true)}>
          {t('erasures.erase')}
        </Button>
      </Group>
      <Text c="dimmed" maw={720}>
        {t('erasures.explanation')}
      </Text>
      <Loaded query={receipts}>
        {() => (
          <Stack>
            <Receipts receipts={rows} />
            <MoreButton query={receipts}>{t('erasures.more')}</MoreButton>
          </Stack>
        )}
      </Loaded>
      <Dialog title={t('erasures.erase')} opened={isErasing} onClose={close}>
        <ErasureCreate
          onErased={({ id }) => void navigate({ to: paths.erasure, params: { erasureId: id } })}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}

function Receipts({ receipts }: { receipts: readonly ErasureReceipt[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const placeOf = useErasurePlace()
  if (receipts.length === 0)
    return (
      <EmptyState icon={Eraser} title={t('erasures.empty')}>
        {t('erasures.emptyHelp')}
      </EmptyState>
    )
  return (
    <StackedTable
      label={t('erasures.receipts')}
      columns={[
        {
          head: t('erasures.started'),
          cell: ({ id, started_at, finished_at }) => (
            <>
              <AnchorLink to={paths.erasure} params={{ erasureId: id }}>
                {format.dateTime(started_at)}
              </AnchorLink>
              {finished_at === null && ` · ${t('erasures.running')}`}
            </>
          ),
        },
        { head: t('erasures.kind'), cell: ({ kind }) => t(`erasures.of.${kind}`) },
        { head: t('erasures.where'), cell: ({ event_id }) => placeOf(event_id) },
        { head: t('erasures.tracks'), cell: ({ erased }) => format.count(erased.tracks) },
        { head: t('erasures.points'), cell: ({ erased }) => format.count(erased.points) },
      ]}
      rows={receipts}
      rowId={({ id }) => id}
    />
  )
}

type ErasureCreateProps = { onErased(receipt: ErasureReceipt): void; onCancel(): void }

/** Asks for a person, shows what there is, and erases it once that is confirmed. */
function ErasureCreate({ onErased, onCancel }: ErasureCreateProps) {
  const { t } = useTranslation()
  const events = useQuery({ ...operatorListEventsOptions(), select: ({ events }) => events })
  const [found, setFound] = useState<{ subject: ErasureRequest; preview: ErasurePreview }>()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { userId: '', eventId: '' },
    validate: { userId: (value) => (value === '' ? t('erasures.userMissing') : null) },
  })
  const inEvents = (events.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <ResourceForm
        form={form}
        save={async ({ userId, eventId }) => {
          const subject = { user_id: userId, event_id: eventId === '' ? null : eventId }
          return { subject, preview: await operatorGetErasurePreview({ body: subject }) }
        }}
        onSaved={setFound}
        submitLabel={t('erasures.look')}
        onCancel={onCancel}
      >
        <TextInput
          label={t('erasures.user')}
          description={t('erasures.userHelp')}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          key={form.key('userId')}
          {...form.getInputProps('userId')}
        />
        <NativeSelect
          label={t('erasures.where')}
          data={[{ value: '', label: t('erasures.everywhere') }, ...inEvents]}
          key={form.key('eventId')}
          {...form.getInputProps('eventId')}
        />
        {found !== undefined && found.preview.tables.length === 0 && (
          <Alert color="gray" role="status" title={t('erasures.nothing')}>
            {t('erasures.nothingHelp')}
          </Alert>
        )}
      </ResourceForm>
      {found !== undefined && found.preview.tables.length > 0 && (
        <ErasureConfirm {...found} onErased={onErased} onClose={() => setFound(undefined)} />
      )}
    </>
  )
}

type ErasureConfirmProps = {
  subject: ErasureRequest
  preview: ErasurePreview
  onErased(receipt: ErasureReceipt): void
  onClose(): void
}

function ErasureConfirm({ subject, preview, onErased, onClose }: ErasureConfirmProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => operatorCreateErasure({ body: subject })}
      onDone={async (receipt) => {
        onErased(receipt)
        await client.invalidateQueries({ queryKey: operatorListErasuresQueryKey() })
      }}
      title={t('erasures.confirm', { user: subject.user_id })}
      confirmLabel={t('erasures.eraseForGood')}
      typedName={subject.user_id}
      typeLabel={t('erasures.typeUser')}
    >
      <Stack>
        <Text>{t('erasures.confirmHelp')}</Text>
        <ErasedData data={preview} />
      </Stack>
    </ConfirmDialog>
  )
}
