/**
 * What more than one screen is made of. The build has every file that is loaded later import this, so that all of it comes as
 * one file beside the first screen, and not as a file for each part.
 */
import '../node/agentNames.ts';
import '../login/passkeyCeremony.ts';
import '../login/people.ts';
import '../node/scriptUrl.ts';
import '../node/files.ts';
import '../node/onceFor.ts';
import '../node/reconcile.ts';
import '../node/useLoaded.ts';
import '../node/usePages.ts';
import '../parts/values/AgentName.tsx';
import '../parts/Back.tsx';
import '../parts/Card.tsx';
import '../parts/CopyText.tsx';
import '../parts/values/LongId.tsx';
import '../parts/Empty.tsx';
import '../parts/Fact.tsx';
import '../parts/holders/ExtensionCards.tsx';
import '../parts/form/Field.tsx';
import '../parts/form/Form.tsx';
import '../parts/Json.tsx';
import '../parts/values/Left.tsx';
import '../parts/values/Money.tsx';
import '../parts/limits/LimitBar.tsx';
import '../parts/limits/LimitList.tsx';
import '../parts/limits/measures.ts';
import '../parts/rows/PagedRows.tsx';
import '../parts/rows/PaymentRows.tsx';
import '../parts/RiskyButton.tsx';
import '../parts/table/Table.tsx';
import '../parts/Shown.tsx';
import '../parts/SubPlaces.tsx';
import '../parts/values/codeText.ts';
import '../parts/values/reasonText.ts';
import '../proofs/interpretSchemas.ts';
import '../parts/values/Status.tsx';
import '../parts/values/When.tsx';
import './App.tsx';
