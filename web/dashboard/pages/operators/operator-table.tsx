import { Badge, Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table.tsx'
import { useRightsWords } from '../../access/rights-words.ts'
import { createSignInLink, type Operator, type SignInLink } from '../../api/operators.ts'
import { sessionQuery } from '../../api/session.ts'
import { Ago } from '../../components/ago.tsx'
import { useNotifyError } from '../../feedback/notify.ts'
import { useFormat } from '../../i18n/format.ts'

type OperatorTableProps = {
  operators: Operator[]
  onLink(made: { name: string; link: SignInLink }): void
  onRole(operator: Operator): void
  onDelete(operator: Operator): void
}

/** The operators with their roles, their last sign-in and their actions. */
export function OperatorTable({ operators, onLink, onRole, onDelete }: OperatorTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const session = useQuery(sessionQuery)
  const rightsWords = useRightsWords()
  const notifyError = useNotifyError()
  const linking = useMutation({
    mutationFn: async ({ id, name }: Operator) => ({ name, link: await createSignInLink(id) }),
    onError: notifyError,
    onSuccess: onLink,
  })
  return (
    <StackedTable
      label={t('operators.title')}
      heads={[
        t('field.name'),
        t('operators.role'),
        t('operators.since'),
        t('operators.lastSignIn'),
        t('operators.secondFactor'),
        t('table.actions'),
      ]}
    >
      {operators.map((operator) => (
        <StackedRow key={operator.id}>
          <StackedCell head={t('field.name')}>
            <Group gap="xs">
              {operator.name}
              {operator.id === session.data?.operator.id && (
                <Badge variant="filled" color="teal.9">
                  {t('operators.you')}
                </Badge>
              )}
            </Group>
          </StackedCell>
          <StackedCell head={t('operators.role')}>
            <span style={{ overflowWrap: 'normal' }}>{rightsWords(operator)}</span>
          </StackedCell>
          <StackedCell head={t('operators.since')}>{format.date(operator.created_at)}</StackedCell>
          <StackedCell head={t('operators.lastSignIn')}>
            {operator.last_sign_in_at === null ? t('operators.neverSignedIn') : <Ago time={operator.last_sign_in_at} />}
          </StackedCell>
          <StackedCell head={t('operators.secondFactor')}>
            {operator.has_second_factor ? t('operators.withSecondFactor') : t('operators.withoutSecondFactor')}
          </StackedCell>
          <StackedCell>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                onClick={() => onRole(operator)}
                aria-label={t('operators.roleOf', { name: operator.name })}
              >
                {t('operators.roleChange')}
              </Button>
              <Button
                size="xs"
                variant="default"
                onClick={() => linking.mutate(operator)}
                aria-label={t('operators.linkFor', { name: operator.name })}
              >
                {t('operators.link')}
              </Button>
              <Button
                size="xs"
                variant="default"
                disabled={isLastOwner(operator, operators)}
                onClick={() => onDelete(operator)}
                aria-label={t('operators.deleteThis', { name: operator.name })}
              >
                {t('operators.delete')}
              </Button>
            </Group>
          </StackedCell>
        </StackedRow>
      ))}
    </StackedTable>
  )
}

function isLastOwner({ role }: Operator, operators: readonly Operator[]): boolean {
  return role === 'owner' && operators.filter((other) => other.role === 'owner').length === 1
}
