/** The places of Settings, loaded together: a user who opens one goes on to another, and one file packs better than many. */
import { AllowProgram } from './AllowProgram.tsx';
import { Export } from './Export.tsx';
import { Health } from './Health.tsx';
import { Instruments } from './Instruments.tsx';
import { Merchants } from './Merchants.tsx';
import { PeopleAndInvitations } from './people/PeopleAndInvitations.tsx';
import { Settings } from './Settings.tsx';
import { ThisNode } from './ThisNode.tsx';

export const SETTINGS_PLACES = {
  AllowProgram,
  Export,
  Health,
  Instruments,
  Merchants,
  PeopleAndInvitations,
  Settings,
  ThisNode,
};
