import { MultiSelect, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Rights } from '../../api/operators.ts'
import { Failure } from '../../feedback/failure.tsx'
import type { LimitChoices } from './use-limit-choices.ts'

const ROLES = ['viewer', 'editor', 'owner'] as const

/** Entries of the list that are shown at once. Searching finds the others. */
const MAX_SHOWN = 100

/** The rights as they are being chosen. */
type RightsDraft = { role: Rights['role']; isLimited: boolean; ids: string[] }

export const NEW_OPERATOR: RightsDraft = { role: 'viewer', isLimited: false, ids: [] }

type RoleFieldsProps = { draft: RightsDraft; onChange(draft: RightsDraft): void; choices: LimitChoices }

/** Chooses the role of an operator, and what it is for. */
export function RoleFields({ draft, onChange, choices }: RoleFieldsProps) {
  const { t } = useTranslation()
  const { role, isLimited, ids } = draft
  const { groups, error } = choices
  return (
    <>
      <Radio.Group
        label={t('operators.role')}
        value={role}
        onChange={(value) => onChange({ ...draft, role: value as Rights['role'] })}
      >
        <Stack gap="xs" mt={4}>
          {ROLES.map((one) => (
            <Radio key={one} value={one} label={t(`role.${one}`)} description={t(`role.${one}Help`)} />
          ))}
        </Stack>
      </Radio.Group>
      {role !== 'owner' && (
        <Radio.Group
          label={t('operators.reach')}
          value={isLimited ? 'some' : 'everything'}
          onChange={(value) => onChange({ ...draft, isLimited: value === 'some' })}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="everything" label={t('reach.everything')} description={t('reach.everythingHelp')} />
            <Radio value="some" label={t('reach.some')} description={t('reach.someHelp')} />
          </Stack>
        </Radio.Group>
      )}
      {role !== 'owner' && isLimited && groups !== undefined && (
        <MultiSelect
          label={t('reach.list')}
          description={ids.length === 0 ? t('reach.nothing') : undefined}
          data={groups}
          value={ids}
          onChange={(chosen) => onChange({ ...draft, ids: chosen })}
          searchable
          limit={MAX_SHOWN}
          nothingFoundMessage={t('reach.notFound')}
          hidePickedOptions
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {error !== null && error !== undefined && <Failure error={error} />}
    </>
  )
}

/** Tells whether the rights can be sent: the things to choose from are known where they matter. */
export function isComplete({ role, isLimited }: RightsDraft, { groups }: LimitChoices): boolean {
  return role === 'owner' || !isLimited || groups !== undefined
}

/** Converts chosen rights into the body of a request. */
export function rightsOf({ role, isLimited, ids }: RightsDraft, { limitsOf }: LimitChoices): Rights {
  return { role, limited_to: role === 'owner' || !isLimited ? null : limitsOf(ids) }
}

/** Begins with the rights that an operator has. */
export function draftOf({ role, limited_to }: Rights): RightsDraft {
  return {
    role,
    isLimited: limited_to !== null,
    ids: limited_to === null ? [] : [...limited_to.events, ...limited_to.workspaces],
  }
}
