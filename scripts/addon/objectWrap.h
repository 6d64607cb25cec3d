// Compiled before better-sqlite3. In Node 24.19 and later of that line, node::ObjectWrap keeps a cleanup hook for each
// object, and to remove it asks for an environment that there is none of while garbage is collected: the process aborts
// (https://github.com/nodejs/node/issues/65446). Without these hooks the class is what it was before; better-sqlite3 has
// a hook of its own.
#include <node.h>

#define AddEnvironmentCleanupHook(...) ((void)0)
#define RemoveEnvironmentCleanupHook(...) ((void)0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
