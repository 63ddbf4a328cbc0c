import { Alert, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createErasure,
  type ErasurePreview,
  type ErasureReceipt,
  type ErasureRequest,
  previewErasure,
} from '../../api/administration/erasures.ts'
import { eventsQuery } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { ErasedData } from './erased-data.tsx'

type ErasureCreateProps = { onErased(receipt: ErasureReceipt): void; onCancel(): void }

/** Asks for a person, shows what there is, and erases it once that is confirmed. */
export function ErasureCreate({ onErased, onCancel }: ErasureCreateProps) {
  const { t } = useTranslation()
  const events = useQuery(eventsQuery)
  const [found, setFound] = useState<{ subject: ErasureRequest; preview: ErasurePreview }>()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { userId: '', eventId: '' },
    validate: { userId: (value) => (value === '' ? t('erasures.userMissing') : null) },
  })
  const looking = useMutation({
    mutationFn: async ({ userId, eventId }: { userId: string; eventId: string }) => {
      const subject = { user_id: userId, event_id: eventId === '' ? null : eventId }
      return { subject, preview: await previewErasure(subject) }
    },
    onSuccess: setFound,
  })
  const inEvents = (events.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <SubmitForm
        onSubmit={form.onSubmit((values) => looking.mutate(values))}
        submitting={looking}
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
      </SubmitForm>
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
  const erasing = useMutation({
    mutationFn: () => createErasure(subject),
    onSuccess: async (receipt) => {
      onErased(receipt)
      await client.invalidateQueries({ queryKey: queryKeys.erasures })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => erasing.mutate()}
      confirming={erasing}
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
