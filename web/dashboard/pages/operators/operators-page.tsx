import { Button, Group, Modal, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { deleteOperator, type Operator, operatorsQuery, type SignInLink } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { useDialogWords } from '../../forms/use-dialog-words.ts'
import { OperatorCreate } from './operator-create.tsx'
import { OperatorTable } from './operator-table.tsx'
import { SignInLinkView } from './sign-in-link-view.tsx'

type Dialog = 'create' | { name: string; link: SignInLink } | { deleting: Operator } | undefined

/** Everyone who may sign in to this dashboard. */
export function OperatorsPage() {
  const { t } = useTranslation()
  const operators = useQuery(operatorsQuery)
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const link = typeof dialog === 'object' && 'link' in dialog ? dialog : undefined
  const leaving = typeof dialog === 'object' && 'deleting' in dialog ? dialog.deleting : undefined
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('operators.title')} />
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
          {t('operators.new')}
        </Button>
      </Group>
      <Text c="dimmed">{t('operators.explanation')}</Text>
      <Loaded query={operators}>
        {(list) => (
          <OperatorTable operators={list} onLink={setDialog} onDelete={(deleting) => setDialog({ deleting })} />
        )}
      </Loaded>
      <Modal
        opened={dialog === 'create'}
        onClose={close}
        title={t('operators.new')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <OperatorCreate onCreated={(name, made) => setDialog({ name, link: made })} onCancel={close} />
      </Modal>
      <Modal
        opened={link !== undefined}
        onClose={close}
        title={t('operators.linkFor', { name: link?.name ?? '' })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {link !== undefined && <SignInLinkView link={link.link} onDone={close} />}
      </Modal>
      {leaving !== undefined && <OperatorDelete operator={leaving} onClose={close} />}
    </>
  )
}

function OperatorDelete({ operator, onClose }: { operator: Operator; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const words = useDialogWords(t('operators.delete'))
  const deleting = useMutation({
    mutationFn: () => deleteOperator(operator.id),
    onSuccess: async () => {
      onClose()
      notify(t('operators.deleted', { name: operator.name }))
      await client.invalidateQueries({ queryKey: queryKeys.operators })
    },
  })
  return (
    <DeleteDialog
      opened
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      busy={deleting.isPending}
      title={t('operators.deleteThis', { name: operator.name })}
      failure={deleting.isError && <Failure error={deleting.error} />}
      words={words}
    >
      {t('operators.deleteHelp')}
    </DeleteDialog>
  )
}
