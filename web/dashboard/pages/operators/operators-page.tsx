import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { deleteOperator, type Operator, operatorsQuery, type SignInLink } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { settingsQuery } from '../../api/settings.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { OperatorCreate } from './operator-create.tsx'
import { OperatorRole } from './operator-role.tsx'
import { OperatorTable } from './operator-table.tsx'
import { SignInLinkView } from './sign-in-link-view.tsx'

type OpenDialog =
  | 'create'
  | { name: string; link: SignInLink }
  | { deleting: Operator }
  | { changing: Operator }
  | undefined

/** Lists the operators with their roles; adds, changes and deletes them. */
export function OperatorsPage() {
  const { t } = useTranslation()
  const operators = useQuery(operatorsQuery)
  const reach = useQuery(settingsQuery).data?.new_accounts_reach
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const link = typeof dialog === 'object' && 'link' in dialog ? dialog : undefined
  const leaving = typeof dialog === 'object' && 'deleting' in dialog ? dialog.deleting : undefined
  const changing = typeof dialog === 'object' && 'changing' in dialog ? dialog.changing : undefined
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('operators.title')} />
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
          {t('operators.new')}
        </Button>
      </Group>
      <Text c="dimmed">{t('operators.explanation')}</Text>
      {reach && (
        <Text c="dimmed">{t(reach === 'nothing' ? 'operators.newReachNothing' : 'operators.newReachAll')}</Text>
      )}
      <Loaded query={operators}>
        {(list) => (
          <OperatorTable
            operators={list}
            onLink={setDialog}
            onRole={(operator) => setDialog({ changing: operator })}
            onDelete={(deleting) => setDialog({ deleting })}
          />
        )}
      </Loaded>
      <Dialog title={t('operators.new')} opened={dialog === 'create'} onClose={close}>
        <OperatorCreate onCreated={(name, made) => setDialog({ name, link: made })} onCancel={close} />
      </Dialog>
      <Dialog title={t('operators.linkFor', { name: link?.name ?? '' })} opened={link !== undefined} onClose={close}>
        {link !== undefined && <SignInLinkView link={link.link} onDone={close} />}
      </Dialog>
      <Dialog
        title={t('operators.roleOf', { name: changing?.name ?? '' })}
        opened={changing !== undefined}
        onClose={close}
      >
        {changing !== undefined && <OperatorRole operator={changing} onDone={close} />}
      </Dialog>
      {leaving !== undefined && <OperatorDelete operator={leaving} onClose={close} />}
    </>
  )
}

function OperatorDelete({ operator, onClose }: { operator: Operator; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteOperator(operator.id),
    onSuccess: async () => {
      onClose()
      notify(t('operators.deleted', { name: operator.name }))
      await client.invalidateQueries({ queryKey: queryKeys.operators })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      confirming={deleting}
      title={t('operators.deleteThis', { name: operator.name })}
      confirmLabel={t('operators.delete')}
    >
      {t('operators.deleteHelp')}
    </ConfirmDialog>
  )
}
